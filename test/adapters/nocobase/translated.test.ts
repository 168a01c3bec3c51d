import { textIn, translated } from '../../../plugin/nocobase/translated.ts';

test.each<[string, string, string]>([
  ['of the plugin', translated('Say “hi”'), 'Say “hi”'],
  ['of NocoBase', '{{t("Admin")}}', 'Admin'],
  ['in single quotes', "{{ t('Phone', { ns: 'crm' }) }}", 'Phone'],
  ['that is not translated', 'Agent', 'Agent'],
  ['with another variable', '{{ title }}', '{{ title }}'],
])('finds the text of a title %s', (_, title, text) => {
  expect(textIn(title)).toBe(text);
});
