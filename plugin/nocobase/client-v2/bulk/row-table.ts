import { Select, Table } from 'antd';
import { useEffect, useState } from 'react';
import {
  type BatchPage,
  type BatchView,
  batchPageTexts,
  rowColumns,
  rowsPerPage,
  type Say,
} from '../../../../src/builder.ts';
import { h } from '../host.ts';

interface RowTableProps {
  say: Say;
  run: BatchView;
  /** Reads a page of the batch's rows. */
  list(choice: { outcome: string; page: number }): Promise<BatchPage>;
}

const shownColumns = ['who', 'outcome', 'reason'] as const;

/** Lets the user look through all rows of a batch, page by page. */
export function RowTable({ say, run, list }: RowTableProps) {
  const [choice, setChoice] = useState({ outcome: '', page: 1 });
  const [current, setCurrent] = useState<BatchPage | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    // The page that is shown stays if the next one can't be read.
    list(choice).then(
      (next) => isCurrent && setCurrent(next),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [run.key, run.state, choice]);
  if (!current) return null;
  const { shown, outcomes, outcome, count, page } = current;
  const all = outcomes.reduce((sum, [, many]) => sum + many, 0);
  const options = [
    { value: '', label: say(batchPageTexts.all(all)) },
    ...outcomes.map(([word, many]) => ({
      value: word,
      label: say(batchPageTexts.outcome(word, many)),
    })),
  ];
  const columns = shownColumns.map((key) => ({ key, dataIndex: key, title: say(rowColumns[key]) }));
  return h(
    'div',
    null,
    h(Select, {
      ...{
        options,
        value: outcome,
        'aria-label': say(rowColumns.outcome),
        style: { width: '100%' },
      },
      onChange: (word: string) => setChoice({ outcome: word, page: 1 }),
    }),
    h(Table, {
      ...{ columns, size: 'small', rowKey: (_: object, index: number) => index },
      dataSource: shown,
      pagination: {
        ...{ current: page, pageSize: rowsPerPage, total: count, showSizeChanger: false },
        onChange: (next: number) => setChoice({ outcome, page: next }),
      },
    }),
  );
}
