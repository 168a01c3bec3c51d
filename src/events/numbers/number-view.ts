import { type Said, type Say, sentence } from '../../text/sentence.ts';

/** A number of the account on a settings page. */
export interface NumberView<Text = Said> {
  sid: string;
  name: string;
  /** Where its SMS and calls go now. */
  lines: Text[];
  /** Sent back with a press, so that it changes only what its user has seen. */
  seen: string;
  buttons: NumberButton<Text>[];
}

/** A button of a number. */
export interface NumberButton<Text = Said> {
  press: NumberPress['press'];
  label: Text;
  /** What to ask first, because it replaces URLs. */
  asks?: Text;
}

/** The numbers of an account on a settings page. */
export interface NumbersView<Text = Said> {
  numbers: NumberView<Text>[];
  /** What a press has done. */
  done?: Text;
  problem?: Text;
}

/** The press of a button of a number. */
export interface NumberPress {
  sid: string;
  press: 'connect' | 'undo';
  seen: string;
}

/** Returns a press as a browser sent it; undefined if it is none. */
export function numberPress(given: unknown): NumberPress | undefined {
  const { sid, press, seen } = Object(given);
  const isPress = press === 'connect' || press === 'undo';
  return isPress ? { sid: String(sid ?? ''), press, seen: String(seen ?? '') } : undefined;
}

/** The label of the button that shows the numbers. */
export const showNumbers = sentence('Show numbers');

/** Writes the numbers in the language of a person. */
export const sayNumbers = (
  { numbers, done, problem }: NumbersView,
  say: Say,
): NumbersView<string> => ({
  numbers: numbers.map(({ lines, buttons, ...number }) => ({
    ...number,
    lines: lines.map(say),
    buttons: buttons.map(({ press, label, asks }) => ({
      ...{ press, label: say(label) },
      ...(asks && { asks: say(asks) }),
    })),
  })),
  ...(done && { done: say(done) }),
  ...(problem && { problem: say(problem) }),
});
