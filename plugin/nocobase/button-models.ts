import { type Action, definitions } from '../../src/builder.ts';

/** A button is for the block or row that it is in, or for the rows that are selected in its block. */
export type ButtonKind = '' | 'SelectedRows';

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The name of the model of an action's button, by which NocoBase stores it. */
export const modelName = ({ id }: Action, kind: ButtonKind = ''): string =>
  `${[definitions.manifest.id, ...id.split('-'), kind].map(capitalised).join('')}ActionModel`;

/** The flow that a button runs when it is clicked; its only step holds what an administrator set up. */
export const clickFlow = 'telephonyClick';
export const clickStep = 'run';
