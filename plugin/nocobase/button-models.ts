import { type Action, definitions } from '../../src/builder.ts';

/** A button is for its block or row, or for the rows selected in its block. */
export type ButtonKind = '' | 'SelectedRows';

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The name of the model of an action's button, under which NocoBase stores it. */
export const modelName = ({ id }: Action, kind: ButtonKind = ''): string =>
  `${[definitions.manifest.id, ...id.split('-'), kind].map(capitalised).join('')}ActionModel`;

/** The flow that runs when a user clicks a button. Its only step holds the button's configuration. */
export const clickFlow = 'telephonyClick';
export const clickStep = 'run';
