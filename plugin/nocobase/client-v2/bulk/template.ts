import type { FlowContext } from '@nocobase/flow-engine';
import { isMissing } from '../../is-missing.ts';
import type { Part } from '../../run-view.ts';

/** What is wrong with what a field is filled in with. */
export type TemplateProblem = 'missing' | 'not understood';

const variable = /\{\{\s*([^{}]+?)\s*\}\}/g;
const ofRow = /^ctx\.record\.([\w$]+)$/;

/**
 * Reads what a field of a button for selected rows is filled in with. The rows' own values are left to the server, which reads the rows;
 * all other variables have one value.
 */
export async function readTemplate(
  text: string,
  context: FlowContext,
): Promise<Part[] | TemplateProblem> {
  const parts: Part[] = [];
  let end = 0;
  for (const found of text.matchAll(variable)) {
    const [whole, path = ''] = found;
    if (found.index > end) parts.push(text.slice(end, found.index));
    end = found.index + whole.length;
    const [, column] = ofRow.exec(path) ?? [];
    if (column) parts.push({ column });
    else if (path.includes('ctx.record')) return 'not understood';
    else {
      const { value } = Object(await context.resolveJsonTemplate({ value: whole }));
      if (isMissing(value)) return 'missing';
      parts.push(String(value));
    }
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
