import { useState } from 'react';
import type { Field, FieldChoice } from '../../../../src/builder.ts';
import type { ChoicesAnswer } from '../../choices-answer.ts';
import { choicesResource } from '../../resources.ts';
import { ask, type Host, problemOf, type Translate } from '../host.ts';

/** Reads what a field offers. */
export type LoadChoices = () => Promise<ChoicesAnswer>;

/**
 * Reads what a field of an operation offers, of an account.
 *
 * @param account its key; without one, the only account there is
 */
export const choicesOf =
  (host: Host, operation: string, { key: field }: Pick<Field, 'key'>) =>
  (account?: unknown): Promise<ChoicesAnswer> =>
    ask(host, `${choicesResource}:list`, { account, operation, field });

const noChoices: FieldChoice[] = [];

/** What a field offers, and a hint why that is nothing. It is read each time the field opens. */
export function useChoices(t: Translate, load: LoadChoices) {
  const [choices, setChoices] = useState(noChoices);
  const [hint, setHint] = useState('');
  async function open() {
    try {
      const { choices: found, problem } = await load();
      setChoices(found);
      setHint(problem ? t("Your numbers can't be listed. {{problem}}", { problem }) : '');
    } catch (error) {
      setChoices([]);
      // Users without the right to the list type a number, or nothing.
      const isForbidden = Object(error).response?.status === 403;
      const { message: problem } = problemOf(error);
      setHint(isForbidden ? '' : t("Your numbers can't be listed. {{problem}}", { problem }));
    }
  }
  return { choices, hint, open };
}

/** A choice in words. */
export const choiceLabel = ({ value, label }: FieldChoice): string =>
  label === value ? value : `${value} ${label}`;
