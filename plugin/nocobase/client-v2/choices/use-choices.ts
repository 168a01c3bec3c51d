import { useState } from 'react';
import type { Field, FieldChoice, OfferedChoices } from '../../../../src/builder.ts';
import { choicesResource } from '../../resources.ts';
import { type Host, problemOf, request, type Translate } from '../host.ts';

/** Loads the choices of a field. */
export type LoadChoices = () => Promise<OfferedChoices>;

/**
 * Loads the choices of an operation's field: its own values, or those of the account.
 *
 * @param account the account's key; defaults to the only account
 */
export const choicesOf =
  (host: Host, operation: string, { key: field, options }: Pick<Field, 'key' | 'options'>) =>
  async (account?: unknown): Promise<OfferedChoices> =>
    options
      ? { choices: options.map((value) => ({ value, label: value })) }
      : request(host, `${choicesResource}:list`, { account, operation, field });

const noChoices: FieldChoice[] = [];

/** The choices of a field, and a hint if they can't be listed. Loads them each time the field opens. */
export function useChoices(t: Translate, load: LoadChoices) {
  const [choices, setChoices] = useState(noChoices);
  const [hint, setHint] = useState('');
  async function open() {
    try {
      const { choices: found, problem } = await load();
      setChoices(found);
      setHint(problem ? t('Could not load your numbers. {{problem}}', { problem }) : '');
    } catch (error) {
      setChoices([]);
      // Users who may not list the numbers type one, or leave the field empty.
      const isForbidden = Object(error).response?.status === 403;
      const { message: problem } = problemOf(error);
      setHint(isForbidden ? '' : t('Could not load your numbers. {{problem}}', { problem }));
    }
  }
  return { choices, hint, open };
}

/** The label of a choice. */
export const choiceLabel = ({ value, label }: FieldChoice): string =>
  label === value ? value : `${value} ${label}`;
