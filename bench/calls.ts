import { ask, start } from './children.ts';
import type { Measure, Question, Results } from './contender.ts';
import { type Contender, type ContenderName, contenderNames } from './contenders.ts';
import type { Effort } from './effort.ts';

/** One figure per round: microseconds, and calls per second. */
export type CallFigures = Record<keyof Contender, Record<Measure, Record<ContenderName, number[]>>>;

function emptyFigures(): CallFigures {
  const eachName = () => ({ plain: [], undici: [], axios: [], official: [], plugin: [] });
  const eachMeasure = () => ({ cpu: eachName(), latency: eachName(), throughput: eachName() });
  return { viewCall: eachMeasure(), sendSms: eachMeasure() };
}

const operations: (keyof Contender)[] = ['viewCall', 'sendSms'];

/** The measurements of an operation: one call at a time, and fifty at a time. */
const questionsOf = (operation: keyof Contender, calls: number): Question[] => [
  { operation, count: calls, width: 1 },
  { operation, count: calls * 2, width: 50 },
];

const startAll = (url: string) =>
  Promise.all(
    contenderNames.map(async (name) => ({ name, ...(await start('contender', [name, url])) })),
  );

/**
 * Measures the cost of a call for each contender: one at a time, and fifty at a time. Each has its own process, and every round
 * measures all of them in turn.
 *
 * @param url the service's URL
 */
export async function measureCalls(url: string, { rounds, calls }: Effort): Promise<CallFigures> {
  const running = await startAll(url);
  const figures = emptyFigures();
  const questions = operations.flatMap((operation) => questionsOf(operation, calls));
  async function playRound(isWarmUp: boolean) {
    for (const question of questions)
      for (const { name, child } of running) {
        const results = await ask<Results>(child, question);
        if (isWarmUp) continue;
        for (const { measure, value } of results)
          figures[question.operation][measure][name].push(value);
      }
  }
  for (let round = -2; round < rounds; round += 1) await playRound(round < 0);
  for (const { child } of running) child.kill();
  return figures;
}
