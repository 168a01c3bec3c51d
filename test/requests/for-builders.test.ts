import { definitions, doneSentence, pickSettings, testSettings } from '../../src/index.ts';

const action = { ...definitions.actions[0], done: 'A {sid} of {who}, {sid}' };
const sentences: [record: object, sentence: string][] = [
  [{ sid: 'RE1', who: 'us' }, 'A RE1 of us, RE1'],
  [{ sid: '$& {who}', who: null }, 'A $& {who} of , $& {who}'],
  [{}, 'A  of , '],
];

test.each(sentences)('the sentence about %j is %j', (record, sentence) => {
  expect(doneSentence(action as never, record)).toBe(sentence);
});

const empty = { username: '', password: '', accountSid: '', baseUrl: '' };
const stored: [values: object, settings: object][] = [
  [{}, empty],
  [
    { username: 'AC1', password: null, z: 'tab', type: 'x' },
    { ...empty, username: 'AC1' },
  ],
];

test.each(stored)('the settings among %j', (values, settings) => {
  expect(pickSettings(values)).toEqual(settings);
});

test('settings that are not complete are tried without asking the service', async () => {
  expect(await testSettings(pickSettings({ username: 'AC1' }))).toEqual({
    outcome: 'wrong-settings',
    message: `"password" in the plugin's settings is empty. Fill it in there first.`,
  });
});
