import type { FlowContext } from '@nocobase/flow-engine';
import { isMissing, type Part } from '../../../../src/builder.ts';
import { parseTemplate } from '../../template.ts';

/** Why a field's configured value can't be used. */
export type TemplateProblem = 'missing' | 'not understood';

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
