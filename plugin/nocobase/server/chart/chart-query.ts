/** A field of a chart. */
export interface Selected {
  /** A column of the list, also as a path with one name. */
  field: string | string[];
  /** Its name in the chart; by default, the column's. */
  alias?: string;
}

export interface Measure extends Selected {
  /** `count`, `sum`, `avg`, `min` or `max`; without one, the chart shows each record. */
  aggregation?: string;
  /** Whether equal values count once. */
  distinct?: boolean;
}

export interface Dimension extends Selected {
  /** How to write a date, such as `YYYY-MM`. Dates that are written the same are one group. */
  format?: string;
}

export interface Order extends Selected {
  /** `asc` or `desc`. */
  order?: string;
  /** Where empty values are: `first` or `last`. */
  nulls?: string;
}

/** What a chart shows, as NocoBase's chart blocks send it. */
export interface ChartQuery {
  measures?: Measure[];
  dimensions?: Dimension[];
  orders?: Order[];
  /** Conditions on groups. */
  having?: object;
  limit?: number | null;
  offset?: number | null;
  /** The user's time zone: a name, or an offset such as `+02:00`. */
  timezone?: string;
}
