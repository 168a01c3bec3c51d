import type { FlowContext } from '@nocobase/flow-engine';
import { isMissing, type Part } from '../../../../src/builder.ts';
import { parseTemplate } from '../../template.ts';

/** What is wrong with what a field is filled in with. */
export type TemplateProblem = 'missing' | 'not understood';

/**
 * Reads what a field of a button for selected rows is filled in with. The rows' own values are left to the server, which reads the rows;
 * all other variables have one value.
 */
export async function readTemplate(
  text: string,
  context: FlowContext,
): Promise<Part[] | TemplateProblem> {
  const parts: Part[] = [];
  for (const part of parseTemplate(text)) {
    if (typeof part === 'string' || 'column' in part) parts.push(part);
    else if (part.variable.includes('ctx.record')) return 'not understood';
    else {
      const template = { value: `{{ ${part.variable} }}` };
      const { value } = Object(await context.resolveJsonTemplate(template));
      if (isMissing(value)) return 'missing';
      parts.push(String(value));
    }
  }
  return parts;
}
