/** The sids of records, in their order. */
export const sidsOf = (records: { sid: string }[]): string[] => records.map(({ sid }) => sid);
