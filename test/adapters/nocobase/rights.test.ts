import { isUsable } from '../../../plugin/nocobase/client-v2/action/is-usable.ts';
import {
  type Right,
  rightTo,
  usableActions,
} from '../../../plugin/nocobase/server/action/rights.ts';
import { actionOf, definitions } from '../../../src/builder.ts';

const action = actionOf('send-sms');
const rights = {
  roles: { 'send-sms': ['editor'], 'make-a-call': ['caller'] },
  buttonRoles: { 'send-sms': ['member', 'editor'], 'end-a-call': ['member'] },
};
const all = definitions.actions.map(({ id }) => id);

test.each<[roles: string[] | undefined, right: Right | undefined, usable: string[]]>([
  [['root'], 'any', all],
  [['editor'], 'any', ['send-sms']],
  [['member'], 'buttons', ['send-sms', 'end-a-call']],
  [['member', 'editor'], 'any', ['send-sms', 'end-a-call']],
  [['caller'], undefined, ['make-a-call']],
  [['guest'], undefined, []],
  [undefined, undefined, []],
])('the roles %j have the right %s and use %j', (currentRoles, right, usable) => {
  const context = { state: currentRoles ? { currentRoles } : {} };
  if (right) expect(rightTo(rights, action, context)).toBe(right);
  else expect(() => rightTo(rights, action, context)).toThrow('Your role may not use “Send SMS”.');
  expect(usableActions(rights, context).sort()).toEqual([...usable].sort());
});

test.each<[usable: Record<string, string[]>, account: string | undefined, isShown: boolean]>([
  [{ a: ['send-sms'], b: [] }, 'a', true],
  [{ a: ['send-sms'], b: [] }, 'b', false],
  [{ a: ['send-sms'], b: [] }, undefined, true],
  [{ a: ['send-sms'], b: [] }, 'removed', true],
  [{ a: ['end-a-call'] }, undefined, false],
  [{}, undefined, true],
])('with %j, a button of the account %s is shown: %s', (usable, account, isShown) => {
  expect(isUsable(usable, action, account)).toBe(isShown);
});
