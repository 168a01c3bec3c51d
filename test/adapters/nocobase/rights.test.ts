import {
  formFields,
  isUsable,
  type Usable,
} from '../../../plugin/nocobase/client-v2/action/usable.ts';
import { rightTo, usableActions } from '../../../plugin/nocobase/server/action/rights.ts';
import type { Right } from '../../../plugin/nocobase/usable-account.ts';
import { actionOf, definitions } from '../../../src/builder.ts';

const action = actionOf('send-sms');
const rights = {
  roles: { 'send-sms': ['editor'], 'make-a-call': ['caller'] },
  buttonRoles: { 'send-sms': ['member', 'editor'], 'end-a-call': ['member'] },
};
const all = Object.fromEntries(definitions.actions.map(({ id }) => [id, 'any']));

test.each<[roles: string[] | undefined, right: Right | undefined, usable: object]>([
  [['root'], 'any', all],
  [['editor'], 'any', { 'send-sms': 'any' }],
  [['member'], 'buttons', { 'send-sms': 'buttons', 'end-a-call': 'buttons' }],
  [['member', 'editor'], 'any', { 'send-sms': 'any', 'end-a-call': 'buttons' }],
  [['caller'], undefined, { 'make-a-call': 'any' }],
  [['guest'], undefined, {}],
  [undefined, undefined, {}],
])('the roles %j have the right %s and use %j', (currentRoles, right, usable) => {
  const context = { state: currentRoles ? { currentRoles } : {} };
  if (right) expect(rightTo(rights, action, context)).toBe(right);
  else expect(() => rightTo(rights, action, context)).toThrow('Your role may not use “Send SMS”.');
  expect(usableActions(rights, context)).toEqual(usable);
});

const account = (granted: Record<string, Right>, hasSender = false) => ({
  rights: granted,
  hasSender,
});
const onlyInA = { a: account({ 'send-sms': 'buttons' }), b: account({}) };

test.each<[usable: Usable, account: string | undefined, isShown: boolean]>([
  [onlyInA, 'a', true],
  [onlyInA, 'b', false],
  [onlyInA, undefined, true],
  [onlyInA, 'removed', true],
  [{ a: account({ 'end-a-call': 'any' }) }, undefined, false],
  [{}, undefined, true],
])('with %j, a button of the account %s is shown: %s', (usable, key, isShown) => {
  expect(isUsable(usable, action, key)).toBe(isShown);
});

const anyInput = account({ 'send-sms': 'any' });
const onlyButtons = account({ 'send-sms': 'buttons' });

/** The fields of a form by key: required, optional or fixed. */
test.each<[what: string, usable: Usable, account: string | undefined, fields: object]>([
  [
    'someone who may use any input',
    { a: anyInput },
    'a',
    { from: 'required', to: 'required', body: 'required' },
  ],
  [
    'an account with a default sender',
    { a: { ...anyInput, hasSender: true } },
    'a',
    { from: 'optional', to: 'required', body: 'required' },
  ],
  [
    'someone who may only use buttons',
    { a: { ...onlyButtons, hasSender: true } },
    undefined,
    { to: 'fixed', body: 'required' },
  ],
  [
    'someone who may only use buttons of another account',
    { a: anyInput, b: { ...onlyButtons, hasSender: true } },
    'a',
    { from: 'required', to: 'required', body: 'required' },
  ],
  [
    'someone who may use any input with one of several accounts',
    { a: anyInput, b: onlyButtons },
    undefined,
    { from: 'required', to: 'required', body: 'required' },
  ],
  ['no account', {}, undefined, { from: 'optional', to: 'required', body: 'required' }],
])('a button that sets the recipient has a form for %s', (_, usable, key, fields) => {
  const form = formFields(usable, action, key, (field) => field === 'to');
  const kind = ({ isFixed, required }: (typeof form)[number]) =>
    isFixed ? 'fixed' : required ? 'required' : 'optional';
  expect(Object.fromEntries(form.map((field) => [field.key, kind(field)]))).toEqual(fields);
});
