import { Alert, Button, Popconfirm, Space, Typography } from 'antd';
import { useState } from 'react';
import { type NumberPress, type NumbersView, showNumbers } from '../../../../src/builder.ts';
import { h, problemOf, type Translate } from '../host.ts';

/** Lists the numbers, and presses a button of one of them first. */
export type LoadNumbers = (press?: NumberPress) => Promise<NumbersView<string>>;

/** The account's numbers, where their SMS and calls go, and buttons to send them here. They load when someone asks for them. */
export function Numbers({ t, load }: { t: Translate; load: LoadNumbers }) {
  const [view, setView] = useState<NumbersView<string> | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const show = async (press?: NumberPress) => {
    setBusy(true);
    try {
      setView(await load(press));
    } catch (error) {
      setView({ numbers: [], problem: problemOf(error).message });
    } finally {
      setBusy(false);
    }
  };
  const offer = h(Button, { loading: isBusy, onClick: () => show() }, t(showNumbers.text));
  if (!view) return offer;
  const { numbers, done, problem } = view;
  const notice = problem ?? done;
  return h(
    Space,
    { direction: 'vertical', style: { width: '100%' } },
    notice && h(Alert, { type: problem ? 'error' : 'success', message: notice }),
    numbers.length === 0 && offer,
    numbers.map(({ sid, seen, name, lines, buttons }) =>
      h(
        'div',
        { key: sid },
        h(Typography.Text, { strong: true }, name),
        lines.map((line) => h('div', { key: line, style: { overflowWrap: 'anywhere' } }, line)),
        buttons.map(({ press, label, asks }) => {
          const run = () => show({ sid, press, seen });
          const more = { key: press, size: 'small', style: { marginRight: 8 } };
          const button = (props: object) =>
            h(Button, { ...more, disabled: isBusy, ...props }, label);
          return asks
            ? h(Popconfirm, { key: press, title: asks, onConfirm: run }, button({}))
            : button({ onClick: run });
        }),
      ),
    ),
  );
}
