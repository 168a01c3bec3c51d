import { type Execute, type Item, type LoadOptions, NodeOperationError } from 'n8n-workflow';
import pLimit, { type LimitFunction } from 'p-limit';
import {
  definitions,
  fieldChoices,
  isAction,
  operation,
  operations,
  replyForms,
  type TelephonyError,
} from '../../../src/builder.ts';
import { accountOf } from '../account/account.ts';
import { act } from '../action/action.ts';
import { read } from '../data-source/data-source.ts';
import { reply } from '../event/reply.ts';
import { downloadMedia } from '../media/download.ts';
import { credentialName } from '../settings/credentials.ts';
import { testCredential } from '../settings/test-credential.ts';
import { eachItem } from './each-item.ts';
import { nameOf } from './name-of.ts';
import { choicesMethod, download, properties, versions } from './properties.ts';
import { readInput, readSending } from './read-input.ts';
import { toolProperties } from './tool-properties.ts';

/** Runs the node's operation for one item. Downloads wait for each other: they are in memory as a whole. */
async function runItem(context: Execute, item: number, downloads: LimitFunction): Promise<Item[]> {
  const sending = readSending(context, item);
  const telephony = await accountOf(context, sending.statusCallback);
  const parameter = (name: string) => String(context.getNodeParameter(name, item));
  const id = parameter('operation');
  if (id === download)
    return downloads(() => downloadMedia(context, telephony, parameter('resource'), item));
  const form = replyForms.find((one) => one.id === id);
  if (form) return reply(context, telephony, form, readInput(context, form, item), item);
  const one = operation(id);
  const input = readInput(context, one, item);
  return isAction(one)
    ? act(context, telephony, one, input, item, sending)
    : read(context, telephony, one, input, item);
}

/** Converts an error to n8n's, which would replace a message with a code such as ECONNREFUSED by advice to retry. */
function toNodeError(context: Execute, error: Error, itemIndex: number): NodeOperationError {
  const converted = new NodeOperationError(context.getNode(), error.message, { itemIndex });
  // n8n shows an execution as canceled if the word is in its error, as in a list of statuses. A word joiner keeps it apart, unseen.
  converted.message = error.message.replaceAll('canceled', 'cancel\u2060ed');
  const { code, field, serviceCode } = error as Partial<TelephonyError>;
  return Object.assign(converted, { code, field, serviceCode });
}

const listSearch = Object.fromEntries(
  operations.flatMap((one) =>
    one.fields
      .filter(({ choices }) => choices)
      .map(({ key }) => [
        choicesMethod(one, key),
        async function choices(this: LoadOptions, filter = '') {
          const all = await fieldChoices(await accountOf(this), one.id, key);
          const wanted = filter.toLowerCase();
          return {
            results: all
              .map(({ label, value }) => ({
                name: label === value ? value : `${label} (${value})`,
                value,
              }))
              .filter(({ name }) => name.toLowerCase().includes(wanted)),
          };
        },
      ]),
  ),
);

/** The node: an operation for each item, as many at a time as the account allows. */
export class Telephony {
  description = {
    displayName: 'Telephony',
    name: definitions.manifest.id,
    icon: 'file:../../icon.svg',
    group: ['output'],
    version: versions,
    subtitle: nameOf('operation', [
      ...[...operations, ...replyForms],
      { id: download, name: 'Download' },
    ]),
    description: definitions.manifest.description,
    defaults: { name: 'Telephony' },
    usableAsTool: { replacements: { properties: toolProperties } },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: credentialName, required: true, testedBy: 'testCredential' }],
    properties,
  };
  methods = { listSearch, credentialTest: { testCredential } };

  async execute(this: Execute): Promise<Item[][]> {
    const downloads = pLimit(1);
    const work = (item: number) =>
      runItem(this, item, downloads).catch((error) => {
        throw toNodeError(this, error, item);
      });
    return [await eachItem(this, work)];
  }
}
