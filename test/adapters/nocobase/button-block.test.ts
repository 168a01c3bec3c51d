import { placeOf } from '../../../plugin/nocobase/server/action/button-block.ts';

// The stored models around a button. Tests in NocoBase's server cover buttons that users click.

const block = (collectionName: string, scope?: object, dataSourceKey = 'telephony') => ({
  resourceSettings: { init: { dataSourceKey, collectionName } },
  ...(scope && { tableSettings: { dataScope: { filter: scope } } }),
});

const popup = {
  popupSettings: { openView: { dataSourceKey: 'telephony', collectionName: 'account_messages' } },
};

/** Finds a button's place below these ancestors, from the outermost. */
async function placeBelow(...ancestors: object[]) {
  const stored = ancestors.map((stepParams, index) => ({ uid: String(index), stepParams }));
  const rows: Record<string, object[]> = {
    flowModelTreePath: stored.map(({ uid }) => ({ ancestor: uid })),
    flowModels: stored.map(({ uid, stepParams }) => ({ uid, options: { stepParams } })),
  };
  const db = {
    getRepository: (name: string) => ({
      find: async () => rows[name]?.map((row) => ({ get: (key: string) => Reflect.get(row, key) })),
    }),
  };
  return placeOf({ db } as unknown as Parameters<typeof placeOf>[0], 'button');
}

const messages = block('account_messages');
const ofPopup = {
  ...{ logic: '$and' },
  items: [{ path: 'parentSid', operator: '$eq', value: '{{ ctx.popup.record.sid }}' }],
};
const own = {
  logic: '$and',
  items: [{ path: 'parentSid', operator: '$eq', value: 'MM1' }],
};

test.each<[what: string, ancestors: object[], scopes: object[]]>([
  [
    'a block in a popup has the scope that NocoBase shows',
    [messages, popup, block('media_of_a_message')],
    [ofPopup],
  ],
  ['a stored scope counts instead', [messages, popup, block('media_of_a_message', own)], [own]],
  ['a block on a page has none', [block('media_of_a_message')], []],
  [
    'a block of another data source has none',
    [messages, popup, block('media_of_a_message', undefined, 'main')],
    [],
  ],
  ['a list without a required filter has none', [messages, popup, messages], []],
])('%s', async (_, ancestors, scopes) => {
  expect((await placeBelow(...ancestors)).block?.scopes).toEqual(scopes);
});
