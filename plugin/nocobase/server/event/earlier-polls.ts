import { entriesOfEarlierPoll } from '../../../../src/builder.ts';
import { accountsResource } from '../../resources.ts';
import type { Application } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';
import { textOf } from '../text-of.ts';

const column = (name: string) => ({ name, type: 'text', length: 'long', hidden: true });

/** The columns of the accounts table in which versions before the store kept the polling state. */
export const earlierPollFields = ['askedAt', 'askProblem', 'askedSoFar'].map(column);

const moved = Object.fromEntries(earlierPollFields.map(({ name }) => [name, null]));

/** Moves the polling state of earlier versions to the store. */
export async function moveEarlierPolls(app: Pick<Application, 'db'>): Promise<void> {
  const { model, repository } = app.db.getCollection(accountsResource);
  for (const row of await repository.find({ filter: { askedAt: { $ne: null } } })) {
    const key = textOf(row.get('key'));
    const begunAt = Number(row.get('askedAt'));
    const problem = textOf(row.get('askProblem'));
    const earlier = {
      ...{ cursor: textOf(row.get('askedSoFar')), begunAt, problem },
      ...(problem === '' && { answeredAt: begunAt }),
    };
    await nocobaseStore(app).insertEarlier(entriesOfEarlierPoll(earlier, key));
    await model.update(moved, { where: { key } });
  }
}
