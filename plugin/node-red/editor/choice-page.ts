import { definitions, type Field } from '../../../src/builder.ts';
import type { Translate, Translated } from '../locale/translate.ts';
import { fieldProperties } from '../node/field-properties.ts';
import { keyOf } from './catalogue.ts';
import { escapeHtml, type NodePage, toScript } from './html.ts';
import { sentences } from './operation-help.ts';
import { checkOf, choicesSource, typedBy } from './operation-page.ts';
import { nameRow, onAdd, row, shownAttributes, shownText } from './rows.ts';
import type { InputField } from './script.ts';

/** One of the things that a node can do. */
interface Choice {
  id: string;
  name: string;
  description: string;
  fields: Field[];
}

/** A node whose dialog chooses what it does. */
interface ChoiceNode<Of extends Choice> {
  type: string;
  /** Its name in the palette. */
  name: string;
  /** The label of the choice in its dialog. */
  label: string;
  /** The Font Awesome icon of the choice, and of the node in the palette. */
  icon: string;
  all: readonly Of[];
  /** The choice of a new node. */
  first: Of;
  /** The name of a group of choices. */
  groupOf?(one: Of): string;
  /** The name of a node that does this; defaults to its own. */
  nameOf?(one: Of): [english: string, inLanguage?: Translated];
  /** The icon of a node that does this. */
  iconOf(one: Of): string;
  /** Properties of the definition: colour, ports. */
  look: string;
  /** Properties of the node besides its name and inputs. */
  defaults: string;
  /** The message property that an input starts with, if any. */
  startOf?(field: Field, one: Of): string | false;
  /** Whether the account can supply it. */
  isOptional?(field: Field, one: Of): boolean;
  /** The rows of the dialog: of the account, of the chosen operation, and below them. */
  above: string;
  inputOf(field: Field, one: Of): InputField;
  rowsOf(one: Of): string;
  below?: string;
  prepare?: string;
  help: Translated;
}

/** A list in which each name occurs once, with what has it. */
function grouped<Of>(all: readonly Of[], nameOf: (one: Of) => string): Map<string, Of[]> {
  const groups = new Map<string, Of[]>();
  for (const one of all) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  return groups;
}

/** The properties that store the inputs of all choices. Choices share the input of a key, so that it keeps its value. */
function inputDefaults<Of extends Choice>({ all, first, ...own }: ChoiceNode<Of>): string {
  const inputs = all.flatMap((one) => one.fields.map((field) => ({ key: field.key, field, one })));
  return [...grouped(inputs, ({ key }) => key)]
    .map(([key, uses]) => {
      const { value, type } = fieldProperties(key);
      const [{ field }] = uses as [(typeof uses)[number]];
      const start = uses.some(({ one }) => one === first) && own.startOf?.(field, first);
      const checks = uses.map(({ field, one }) => [
        one.id,
        checkOf(field, own.isOptional?.(field, one)),
      ]);
      return `
    ${value}: { value: '${start || ''}', validate: telephonyNodes.validInputOf(${toScript(type)}, ${toScript(Object.fromEntries(checks))}) },
    ${type}: { value: '${start ? 'msg' : typedBy(field.type)}' },`;
    })
    .join('');
}

function definition<Of extends Choice>(node: ChoiceNode<Of>): string {
  const { all, first, name, iconOf, startOf } = node;
  const byId = (of: (one: Of) => unknown) =>
    toScript(Object.fromEntries(all.map((one) => [one.id, of(one)])));
  const names = byId((one) => keyOf(...(node.nameOf?.(one) ?? [one.name])));
  const inputs = byId((one) =>
    one.fields.map((field) => ({ ...node.inputOf(field, one), start: startOf?.(field, one) })),
  );
  return `{
  category: ${toScript(definitions.manifest.id)},
  icon: function () { return ${byId(iconOf)}[this && this.operation] || 'font-awesome/fa-${node.icon}'; },
  ${node.look}
  defaults: {
    name: { value: '' },
    operation: { value: ${toScript(first.id)}, required: true },${inputDefaults(node)}
    ${node.defaults}
  },
  paletteLabel: function () { return this._(${toScript(keyOf(name))}); },
  label: function () { return this.name || this._(${names}[this.operation] || ${toScript(keyOf(name))}); },
  labelStyle: function () { return this.name ? 'node_label_italic' : ''; },
  ${onAdd}
  onpaletteadd: function () {
    const names = Object.values(${names}).map((key) => this._(key));
    telephonyNodes.addToSearch(${toScript(node.type)}, [this.paletteLabel()].concat(names));
  },
  oneditprepare: function () {
    telephonyNodes.prepareOperation(this, ${inputs}, ${toScript(choicesSource)});${node.prepare ?? ''}
  },
}`;
}

const optionsOf = (choices: readonly Choice[]) =>
  choices.map(({ id, name }) => shownText(name, 'option', `value="${id}"`)).join('');

function dialog<Of extends Choice>({ all, groupOf, label, icon, ...node }: ChoiceNode<Of>) {
  const options = groupOf
    ? [...grouped(all, groupOf)]
        .map(
          ([name, of]) =>
            `<optgroup ${shownAttributes({ label: name })}>${optionsOf(of)}</optgroup>`,
        )
        .join('')
    : optionsOf(all);
  const select = `<select id="node-input-operation" style="width: 70%">${options}</select>`;
  const inputs = all.map(
    (one) =>
      `<div data-operation="${one.id}">${shownText(one.description, 'p')}${node.rowsOf(one)}</div>`,
  );
  return [
    nameRow(node.name),
    row('operation', label, icon, select),
    node.above,
    `<div id="telephony-operation">${inputs.join('')}</div>`,
    node.below ?? '',
  ].join('');
}

/** The parts of a node's help about its choices, each folded. */
export const choicesHelp = <Of extends { name: string; description: string }>(
  t: Translate,
  all: readonly Of[],
  partsOf: (one: Of) => string[],
) =>
  all
    .map((one) => {
      const parts = [`<p>${sentences(t, one.description)}</p>`, ...partsOf(one)];
      return `<details><summary>${escapeHtml(t(one.name))}</summary>\n${parts.join('\n')}\n</details>`;
    })
    .join('\n');

/** The palette entry, the dialog and the help of a node whose dialog chooses what it does. */
export const choicePage = <Of extends Choice>(node: ChoiceNode<Of>): NodePage => ({
  type: node.type,
  definition: definition(node),
  dialog: dialog(node),
  help: node.help,
});
