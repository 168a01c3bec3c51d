import type { Collection, FlowContext } from '@nocobase/flow-engine';
import { isMissing, type Part } from '../../../../src/builder.ts';
import { parseTemplate } from '../../template.ts';
import { relationsToOne } from './offered-columns.ts';

const ofRow = /\bctx\.record\b/;

/** Why a field's configured value can't be used. */
export type TemplateProblem = 'missing' | 'not understood';

/** Whether a configured value uses something of the row that the server can't read: more than one relation away, or of several records. */
export const isUnreadable = (text: string, collection?: Pick<Collection, 'getField'>): boolean =>
  parseTemplate(text).some((part) => {
    if (typeof part === 'string') return false;
    if ('variable' in part) return ofRow.test(part.variable);
    const [name = '', inner] = part.column.split('.');
    const type = collection?.getField?.(name)?.type;
    return inner !== undefined && type !== undefined && !relationsToOne.includes(type);
  });

/**
 * Parses the configured value of a field of a button for several rows. Leaves columns of rows to the server, which
 * reads the rows. Resolves all other variables.
 */
export async function readTemplate(
  text: string,
  context: FlowContext,
): Promise<Part[] | TemplateProblem> {
  const parts: Part[] = [];
  for (const part of parseTemplate(text)) {
    if (typeof part === 'string' || 'column' in part) parts.push(part);
    else if (ofRow.test(part.variable)) return 'not understood';
    else {
      const template = { value: `{{ ${part.variable} }}` };
      const { value } = Object(await context.resolveJsonTemplate(template));
      if (isMissing(value)) return 'missing';
      parts.push(String(value));
    }
  }
  return parts;
}
