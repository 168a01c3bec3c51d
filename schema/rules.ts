/**
 * The rules for definitions that JSON Schema can't express. Each is a generator that yields one readable sentence per
 * fault.
 */
import type {
  Action,
  DataSource,
  EventCondition,
  EventDefinition,
  EventReply,
  Definitions as ListedDefinitions,
  RecordShape,
  Settings,
} from '../generated/definition-types.ts';
import { recipientField } from '../src/definition/fields.ts';

/** The content of a JSON file in the definition folders. */
export type Definition = Settings | DataSource | Action | EventDefinition | RecordShape;

/** The definitions, and what the rules compare them with. */
export interface Definitions extends ListedDefinitions {
  /** The version in package.json. */
  packageVersion: string;
  /** Every JSON file of the definition folders, by its path. */
  files: Record<string, Definition>;
}

type Rule = (definitions: Definitions) => Generator<string>;

const operations = ({ dataSources, actions }: Definitions) => [...dataSources, ...actions];
const repliesOf = ({ events }: Definitions): EventReply[] =>
  events.flatMap(({ replies = [] }) => replies);
const listed = ({ manifest }: Definitions) => [
  manifest.settings,
  ...manifest.dataSources,
  ...manifest.actions,
  ...manifest.events,
  ...manifest.records,
];
const shapeOf = ({ records }: Definitions, { result }: Action | DataSource | EventDefinition) =>
  records.find((record) => record.id === result.of);
const pathNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const repeated = <Value>(values: Value[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);
const isInAnswer = (place: string) => place === 'element' || place === 'attribute';
/** The element of a reply that a wire name is in, or is. */
const elementOf = (name: string) => name.replace(/\..*$/, '');
const kebab = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
const pascal = (id: string) => id.replaceAll(/(?:^|-)(\w)/g, (_, c) => c.toUpperCase());
const camel = (name: string) =>
  name
    .replace(/^.*\./, '')
    .replace(/^[A-Z]/, (c) => c.toLowerCase())
    .replaceAll(/_([a-z])/g, (_, c) => c.toUpperCase())
    .replace(/>$/, 'After')
    .replace(/<$/, 'Before');
/** Whether no request can meet both conditions. */
const excludes = (one: EventCondition, other: EventCondition) =>
  one.name === other.name &&
  ((one.given ?? true) !== (other.given ?? true) ||
    Boolean(other.oneOf && one.oneOf?.every((value) => !other.oneOf?.includes(value))));
/**
 * Whether the `unless` of an event excludes the other event: all conditions of one list hold whenever the other event's
 * `when` does.
 */
const leavesOut = ({ unless }: EventDefinition, { when }: EventDefinition) =>
  unless?.some((conditions) =>
    conditions.every((one) => when?.some((held) => JSON.stringify(held) === JSON.stringify(one))),
  );
const keys = (thing: { fields: { key: string }[] }) => thing.fields.map((field) => field.key);

export const rules: Record<string, Rule> = {
  *manifestListsEveryFile(definitions) {
    for (const file of Object.keys(definitions.files))
      if (!listed(definitions).includes(file)) yield `${file} is not listed in manifest.json.`;
  },

  *idIsFileName({ files }) {
    for (const [file, { id }] of Object.entries(files))
      if (!file.endsWith(`/${id}.json`))
        yield `${file} has the id "${id}"; id and file name are one.`;
  },

  *operationIdIsNameInKebabCase(definitions) {
    const replies = repliesOf(definitions);
    for (const { id, name } of [...operations(definitions), ...definitions.events, ...replies])
      if (id !== kebab(name)) yield `"${name}" needs the id "${kebab(name)}", not "${id}".`;
  },

  *idsAreUnique(definitions) {
    const { settings, events } = definitions;
    const named = [settings, ...operations(definitions), ...events, ...repliesOf(definitions)];
    for (const id of repeated(named.map((one) => one.id)))
      yield `Two of the operations, the events, the replies and the settings have the id "${id}".`;
  },

  *versionIsPackageVersion({ manifest, packageVersion }) {
    if (manifest.version !== packageVersion)
      yield `manifest.json has version ${manifest.version}, package.json ${packageVersion}.`;
  },

  *keysAreUnique(definitions) {
    const { settings, records } = definitions;
    const replies = repliesOf(definitions);
    for (const thing of [settings, ...records, ...operations(definitions), ...replies])
      for (const key of repeated(keys(thing))) yield `${thing.id} has two fields "${key}".`;
  },

  *keyIsWireNameInCamelCase(definitions) {
    for (const { id, fields } of [...definitions.records, ...operations(definitions)])
      for (const { key, name, type } of fields) {
        // Users enter text, not TwiML, so the key has another name.
        const expected = type === 'speech' ? 'say' : camel(name);
        if (key !== expected) yield `${id}: the key of ${name} is "${expected}", not "${key}".`;
      }
  },

  *speechAttributesNeedTheirSpeech(definitions) {
    for (const { id, fields } of operations(definitions)) {
      const speeches = fields.filter(({ type }) => type === 'speech').map(({ key }) => key);
      if (speeches.length > 1) yield `${id} has more than one speech.`;
      for (const { key, needs } of fields.filter((field) => field.in === 'speech'))
        if (!speeches.some((speech) => needs?.includes(speech)))
          yield `${id}: "${key}" is an attribute of a speech, so it "needs" the field of that type.`;
    }
  },

  *operationsHaveNoElements(definitions) {
    for (const { id, fields } of operations(definitions))
      for (const { key } of fields.filter(({ in: place }) => isInAnswer(place)))
        yield `${id}: "${key}" is in the answer to an event, which no operation gives.`;
  },

  *repliesFillTheirElements(definitions) {
    for (const reply of repliesOf(definitions)) {
      const { id, elements, fields, fixed = {}, within = {}, reported } = reply;
      for (const { key, name, in: place } of fields) {
        if (!isInAnswer(place) && place !== 'query')
          yield `${id}: "${key}" is not in the answer to the event.`;
        if (place === 'attribute' && key !== camel(name))
          yield `${id}: the key of ${name} is "${camel(name)}", not "${key}".`;
      }
      const named = fields
        .filter(({ in: place }) => place !== 'query')
        .flatMap(({ name, also }) => [name, ...(also ? [also.name] : [])]);
      const names = [...named, ...Object.keys(fixed), ...Object.entries(within).flat()];
      for (const name of [...names, ...(reported ? [reported.to] : [])])
        if (!elements.includes(elementOf(name)))
          yield `${id}: "elements" lacks ${elementOf(name)}, which ${name} is in.`;
      if (!definitions.events.some((event) => event.id === (reported?.event ?? event.id)))
        yield `${id}: no file in events/ has "${reported?.event}", which reports it.`;
    }
  },

  *ofIsAnotherEvent({ events }) {
    for (const { id, of, when } of events) {
      if (!of) continue;
      const whole = events.find((event) => event.id === of);
      if (!whole?.when || whole.of) yield `${id}: "${of}" is no event of a request.`;
      // Whatever is one event only, must not become both when its parameters are split in another way.
      const known = whole?.parameters.map(({ name }) => name) ?? [];
      for (const { name } of when ?? [])
        if (!known.includes(name)) yield `${id}: ${name} of "when" is no parameter of "${of}".`;
    }
  },

  *optOutFits(definitions) {
    for (const event of definitions.events) {
      const { is: _, recipient, senders = [], ifError } = event.optOut ?? {};
      const named = [recipient, ...senders, ifError].filter((key) => key !== undefined);
      const { fields = [] } = shapeOf(definitions, event) ?? {};
      for (const key of named)
        if (!keys({ fields }).includes(key))
          yield `${event.id}: "optOut" names "${key}", which is no field of its record.`;
    }
  },

  *repliesLikeFits({ events }) {
    for (const { id, repliesLike } of events) {
      if (!repliesLike) continue;
      const { replies } = events.find((event) => event.id === repliesLike) ?? {};
      if (!replies) yield `${id}: "repliesLike" names "${repliesLike}", which has no replies.`;
      for (const reply of replies ?? [])
        if (reply.polled || reply.counts?.toRecord)
          yield `${id}: "${reply.id}" takes values of the record of "${repliesLike}".`;
    }
  },

  *queryHasCountAndFields(definitions) {
    for (const event of definitions.events) {
      const reports = repliesOf(definitions).filter(({ reported }) => reported?.event === event.id);
      for (const { name, key, in: place } of event.parameters) {
        if (!place) continue;
        if (reports.length === 0)
          yield `${event.id}: no reply reports it, so ${name} is never in the query.`;
        const isGiven = event.when?.some((one) => one.name === name && one.given);
        const field = shapeOf(definitions, event)?.fields.find((one) => one.key === key);
        const counts = isGiven && event.identifiedBy.includes(key) && field?.type === 'integer';
        const isField = reports.some(({ fields }) =>
          fields.some((one) => one.in === 'query' && one.name === name),
        );
        if (counts === isField)
          yield `${event.id}: ${name} in the query is either a reply's field or an integer that "when" and "identifiedBy" name.`;
      }
    }
    for (const { id, fields, reported } of repliesOf(definitions)) {
      const event = definitions.events.find((one) => one.id === reported?.event);
      for (const { key, name, in: place } of fields)
        if (place === 'query' && !event?.parameters.some((one) => one.in && one.name === name))
          yield `${id}: "${key}" is in the query, but no parameter of the event that reports it is ${name}.`;
    }
  },

  *polledRepliesAreSent(definitions) {
    for (const event of definitions.events)
      for (const { id, fields, polled } of event.replies ?? []) {
        if (!polled) continue;
        const action = definitions.actions.find((one) => one.id === polled.action);
        if (!event.polled || !action) yield `${id}: "${polled.action}" can't send it when polled.`;
        const filled = { ...polled.record, ...polled.fields };
        for (const key of Object.keys(filled))
          if (action && !keys(action).includes(key)) yield `${id}: "${action.id}" has no "${key}".`;
        for (const key of Object.values(polled.record))
          if (!shapeOf(definitions, event)?.fields.some((one) => one.key === key))
            yield `${id}: the record of "${event.id}" has no "${key}".`;
        for (const key of Object.values(polled.fields))
          if (!fields.some((one) => one.key === key)) yield `${id}: it has no field "${key}".`;
      }
  },

  *countedRepliesHaveARecipient(definitions) {
    for (const event of definitions.events)
      for (const { id, fields, counts } of event.replies ?? []) {
        if (!counts) continue;
        for (const key of [counts.toField, counts.text])
          if (key !== undefined && !fields.some((one) => one.key === key))
            yield `${id}: it has no field "${key}", by which it counts.`;
        const inRecord = shapeOf(definitions, event)?.fields.map(({ key }): string => key) ?? [];
        if (counts.toRecord !== undefined && !inRecord.includes(counts.toRecord))
          yield `${id}: the record of "${event.id}" has no "${counts.toRecord}", by which it counts.`;
      }
  },

  *countedActionsHaveARecipient({ actions }) {
    for (const action of actions)
      if (action.counts && !recipientField(action))
        yield `${action.id}: it counts as a ${action.counts}, so it needs one required phone field for the recipient.`;
  },

  *exactlyOneOfNamesFields({ actions }) {
    for (const { id, fields, exactlyOneOf = [] } of actions)
      for (const key of exactlyOneOf) {
        const field = fields.find((one) => one.key === key);
        if (!field || field.required || field.default !== undefined)
          yield `${id}: "exactlyOneOf" names "${key}", which is no optional field without a default.`;
      }
  },

  *rawIsNoField({ records }) {
    for (const { id, fields } of records)
      if (fields.some(({ key }) => key === 'raw'))
        yield `${id}: a record's "raw" is what the service sent, so no field has this key.`;
  },

  *hostIsInTheSettings(definitions) {
    for (const { id, request } of operations(definitions)) {
      const { host } = request;
      if (host && !definitions.settings.hosts.some((one) => one.id === host))
        yield `${id}: "hosts" of the settings has no "${host}".`;
    }
  },

  *hostsHaveTheirSetting({ settings }) {
    for (const { id, setting } of settings.hosts)
      if (!settings.fields.some(({ key, type }) => key === setting && type === 'url'))
        yield `${settings.id}: "${setting}" of the host "${id}" is no field for a URL.`;
  },

  *nextIsOfAList({ dataSources }) {
    for (const { id, result } of dataSources)
      if (result.next && !result.list) yield `${id}: "next" is of a list, which it isn't.`;
  },

  *pathHasItsFields(definitions) {
    for (const { id, request, fields } of operations(definitions))
      for (const name of pathNames(request.path))
        if (!fields.some((field) => field.in === 'path' && field.name === name))
          yield `${id}: {${name}} in the path has no field with "in": "path".`;
  },

  *pathFieldsAreInPath(definitions) {
    for (const { id, request, fields } of operations(definitions))
      for (const { name } of fields.filter((field) => field.in === 'path'))
        if (!pathNames(request.path).includes(name))
          yield `${id}: the path does not contain {${name}}.`;
  },

  *fixedIsNoField(definitions) {
    for (const { id, request, fields } of operations(definitions))
      for (const name of Object.keys(request.fixed ?? {}))
        if (fields.some((field) => field.name === name))
          yield `${id}: ${name} is fixed, but a field, too.`;
  },

  *deletionsDeleteTheirRecord(definitions) {
    for (const { id, request, fields, result, ...action } of definitions.actions) {
      if (request.method !== 'DELETE') continue;
      const [, end] = /\/\{(\w+)\}(\.json)?$/.exec(request.path) ?? [];
      const last = fields.find(({ name }) => name === end);
      if (last?.key !== camel(`${pascal(result.of)}Sid`))
        yield `${id}: it deletes a ${result.of}, so its path ends in the SID of one.`;
      if (request.fixed || fields.some(({ in: place }) => place !== 'path' && place !== 'query'))
        yield `${id}: a DELETE has no body, so its fields are in the path or the query.`;
      if (!action.asks) yield `${id}: what it deletes is gone, so it "asks" first.`;
    }
  },

  *questionsNameTheirFields({ actions }) {
    for (const { id, asks = '', fields } of actions)
      for (const key of pathNames(asks))
        if (!fields.some((field) => field.key === key && field.required))
          yield `${id}: {${key}} in "asks" is no required field of it.`;
  },

  *readHasNoFormField({ dataSources }) {
    for (const { id, fields } of dataSources)
      for (const { key } of fields.filter((field) => field.in === 'form'))
        yield `${id}: "${key}" is a form field, but a GET has no body.`;
  },

  *readHasNoSeveralValues({ dataSources }) {
    for (const { id, fields } of dataSources)
      for (const { key } of fields.filter((field) => field.maxValues))
        yield `${id}: "${key}" has several values, but a filter has one.`;
  },

  *defaultIsAllowed(definitions) {
    for (const { id, fields } of [...operations(definitions), ...repliesOf(definitions)])
      for (const { key, default: value, minimum, maximum, options } of fields)
        if (
          value !== undefined &&
          (Number(value) < (minimum ?? -Infinity) ||
            Number(value) > (maximum ?? Infinity) ||
            options?.every((option) => option !== value))
        )
          yield `${id}: the default ${value} of "${key}" is not allowed there.`;
  },

  *needsOtherFields(definitions) {
    for (const { id, fields } of [...operations(definitions), ...repliesOf(definitions)])
      for (const { key, needs = [] } of fields)
        for (const needed of needs)
          if (needed === key || !keys({ fields }).includes(needed))
            yield `${id}: "${key}" needs "${needed}", which is no other field of it.`;
  },

  *schedulesFit(definitions) {
    for (const { id, fields, result } of definitions.actions)
      for (const { key, needs, schedule } of fields) {
        if (!schedule) continue;
        for (const [other, value] of Object.entries(schedule.with)) {
          if (!needs?.includes(other))
            yield `${id}: the "schedule" of "${key}" fills in "${other}", which it doesn't need.`;
          const options: readonly string[] | undefined = fields.find(
            (field) => field.key === other,
          )?.options;
          if (options && !options.includes(value))
            yield `${id}: the "schedule" of "${key}" fills in "${value}", which is no ${other}.`;
        }
        const shape = definitions.records.find((record) => record.id === result.of);
        const statuses: readonly string[] | undefined = shape?.fields.find(
          ({ status }) => status,
        )?.options;
        if (!statuses?.includes(schedule.status))
          yield `${id}: the "schedule" of "${key}" has the status "${schedule.status}", which a ${result.of} doesn't have.`;
      }
  },

  *choicesFit(definitions) {
    const { dataSources, records } = definitions;
    for (const { id, fields } of operations(definitions))
      for (const { key, choices } of fields) {
        if (!choices) continue;
        const { source, value, label, about, filledBy, examples, if: needed } = choices;
        if (
          filledBy &&
          !(about && fields.some((one) => one.key === filledBy && one.type === 'map'))
        )
          yield `${id}: the "choices" of "${key}" name "${filledBy}", which is no map that fills "about".`;
        const list = dataSources.find((one) => one.id === source);
        if (!list?.result.list) yield `${id}: the "choices" of "${key}" name "${source}", no list.`;
        if (list?.fields.some(({ required }) => required))
          yield `${id}: the "choices" of "${key}" name "${source}", which needs an input.`;
        const shape = records.find((record) => record.id === list?.result.of);
        for (const named of [value, label, about, examples, needed])
          if (shape && named && !keys(shape).includes(named))
            yield `${id}: the "choices" of "${key}" name "${named}", which is no field of "${shape.id}".`;
      }
  },

  *connectsFits(definitions) {
    for (const { id, fields, connects, result } of definitions.actions) {
      if (!connects) continue;
      const record = definitions.records.find((one) => one.id === result.of);
      const list = definitions.dataSources.find(
        (one) => one.id === fields.find(({ in: place }) => place === 'path')?.choices?.source,
      );
      if (list?.result.of !== result.of)
        yield `${id}: it "connects" a ${result.of}, so its path field has choices of a list of them.`;
      for (const { url, method, if: needed, unless = [] } of connects.webhooks)
        for (const key of [url, method, needed, ...unless]) {
          if (key !== undefined && record && !keys(record).includes(key))
            yield `${id}: "connects" names "${key}", which is no field of "${result.of}".`;
          if ((key === url || key === method) && !keys({ fields }).includes(String(key)))
            yield `${id}: "connects" names "${key}", which is no input.`;
        }
    }
  },

  *resultIsKnown(definitions) {
    for (const one of [...operations(definitions), ...definitions.events])
      if (!shapeOf(definitions, one))
        yield `${one.id} returns a "${one.result.of}", which no file in records/ describes.`;
  },

  *recordStartsWithItsKey({ records }) {
    for (const { id, key, fields } of records)
      if (fields[0].key !== key || !['sid', 'text', 'phone'].includes(fields[0].type))
        yield `${id}: the first field of a record is its key "${key}", a sid, a phone number or a text.`;
  },

  *finalStatusesAreOptions(definitions) {
    for (const { id, key, final, fields } of definitions.records) {
      if (!final) continue;
      const options: readonly unknown[] =
        fields.find((field) => field.key === final.field)?.options ?? [];
      for (const value of final.values)
        if (!options.includes(value))
          yield `${id}: "final" has "${value}", which is no ${final.field}.`;
      const source = definitions.dataSources.find((one) => one.id === final.source);
      const [first] = source?.fields ?? [];
      if (source?.result.of !== id || source.result.list || first?.in !== 'path')
        yield `${id}: "final" names "${final.source}", which doesn't read one ${id} by its ${key}.`;
    }
  },

  *createdAtNamesADate({ records }) {
    for (const { id, createdAt, fields } of records)
      if (createdAt && !fields.some(({ key, type }) => key === createdAt && type === 'date'))
        yield `${id}: "createdAt" names "${createdAt}", which is no date of it.`;
  },

  *mediaIsFoundByKey({ records }) {
    for (const { id, key, media } of records)
      if (media && !pathNames(media.path).includes(key))
        yield `${id}: the path of its media names {${pathNames(media.path)}}, not its key {${key}}.`;
  },

  *mediaIsWithoutInAStatus({ records }) {
    for (const { id, media, fields } of records)
      for (const { field, values } of media?.without ?? []) {
        const options = fields.find(({ key }) => key === field)?.options;
        for (const value of values.filter((one) => !options?.includes(one)))
          yield `${id}: "without" of its media has "${value}", which is no ${field}.`;
      }
  },

  *mediaNamesAField({ records }) {
    for (const { id, media, ...record } of records) {
      if (!media) continue;
      for (const name of ['unless', 'type'] as const)
        if (media[name] !== undefined && !keys(record).includes(media[name]))
          yield `${id}: "${name}" of its media names "${media[name]}", which is no field of it.`;
      for (const name of pathNames(media.path))
        if (!record.fields.some(({ key, type }) => key === name && type === 'sid'))
          yield `${id}: the path of its media names {${name}}, which is no SID of it.`;
    }
  },

  *referenceIsKnown({ records }) {
    for (const { id, fields } of records)
      for (const { key, refersTo } of fields)
        if (refersTo && !records.some((record) => record.id === refersTo))
          yield `${id}: "${key}" refers to a "${refersTo}", which no file in records/ describes.`;
  },

  *recordHasUsualFields({ records }) {
    for (const { id, fields } of records)
      if (!fields.some(({ usual }) => usual))
        yield `${id}: no field is usual, so that a new table would show nothing.`;
  },

  *currencyIsInRecord({ records }) {
    for (const { id, fields } of records)
      for (const { key, currency } of fields)
        if (currency && !fields.some((field) => field.key === currency))
          yield `${id}: the currency of "${key}" is said to be in "${currency}", which is no field of it.`;
  },

  *explainedCodeIsInRecord({ records }) {
    for (const { id, fields } of records)
      for (const { key, explains } of fields)
        if (explains && !fields.some((field) => field.key === explains))
          yield `${id}: "${key}" explains "${explains}", which is no field of it.`;
  },

  *columnIsInRecord({ dataSources, records }) {
    for (const { id, result, fields } of dataSources)
      for (const { column } of fields)
        if (
          column &&
          !records.some((record) => record.id === result.of && keys(record).includes(column))
        )
          yield `${id}: the record "${result.of}" has no field "${column}".`;
  },

  *filterHasItsColumn({ dataSources, records }) {
    for (const { id, result, fields, ownedBy } of dataSources)
      for (const { key, column = key, in: place, purpose } of fields)
        if (
          place === 'query' &&
          purpose === undefined &&
          key !== ownedBy?.field &&
          !records.some((record) => record.id === result.of && keys(record).includes(column))
        )
          yield `${id}: "${key}" needs a "column" of "${result.of}" that records are held against.`;
  },

  *doneNamesRecordFields({ actions, records }) {
    for (const { id, done, result } of actions)
      for (const key of pathNames(done))
        if (!records.some((record) => record.id === result.of && keys(record).includes(key)))
          yield `${id}: {${key}} in "done" is no field of "${result.of}".`;
  },

  *ownedByFits({ dataSources, records: shapes }) {
    for (const { id, ownedBy, fields } of dataSources) {
      if (!ownedBy) continue;
      const owners = dataSources.find((source) => source.id === ownedBy.owners);
      const records = dataSources.find((source) => source.id === ownedBy.records);
      if (!fields.some((field) => field.key === ownedBy.field))
        yield `${id}: "ownedBy" names the field "${ownedBy.field}", which it does not have.`;
      if (!owners?.result.list || !keys(owners).includes(ownedBy.field))
        yield `${id}: "${ownedBy.owners}" is no list with a field "${ownedBy.field}".`;
      const shape = shapes.find((record) => record.id === owners?.result.of);
      if (ownedBy.parent && !(shape && keys(shape).includes(ownedBy.parent)))
        yield `${id}: the records of "${ownedBy.owners}" have no field "${ownedBy.parent}".`;
      if (!records?.result.list || !keys(records).includes(ownedBy.key))
        yield `${id}: "${ownedBy.records}" is no list with a field "${ownedBy.key}".`;
    }
  },

  *confirmedByFits({ actions, dataSources, records }) {
    for (const { id, confirmedBy, result, ...action } of actions) {
      if (!confirmedBy) continue;
      const { source, fields, also = [], since, unless } = confirmedBy;
      const list = dataSources.find((one) => one.id === source);
      const shape = records.find((record) => record.id === result.of);
      const has = (key: string) => shape && keys(shape).includes(key);
      if (!list?.result.list || list.result.of !== result.of)
        yield `${id}: "${source}" is no list of "${result.of}".`;
      for (const key of [...fields, ...also].filter(
        (one) => !keys(action).includes(one) || !has(one),
      ))
        yield `${id}: "confirmedBy" names "${key}", which is not both an input and in "${result.of}".`;
      if (!shape?.fields.some(({ key, type }) => key === since && type === 'date'))
        yield `${id}: "${since}" is no date of "${result.of}".`;
      if (unless && !has(unless.field))
        yield `${id}: the record "${result.of}" has no field "${unless.field}".`;
    }
  },

  *eventFillsItsRecord(definitions) {
    for (const event of definitions.events) {
      const shape = shapeOf(definitions, event);
      const filled = [...event.parameters.map(({ key }) => key), ...Object.keys(event.fixed ?? {})];
      for (const key of new Set(filled))
        if (shape && !keys(shape).includes(key))
          yield `${event.id}: the record "${shape.id}" has no field "${key}".`;
      for (const key of new Set([...(shape ? [shape.key] : []), ...event.identifiedBy]))
        if (!event.parameters.some((parameter) => parameter.key === key))
          yield `${event.id}: no parameter fills "${key}", which tells one event from another.`;
    }
  },

  *receivedAtNamesDates(definitions) {
    for (const event of definitions.events) {
      const { fields = [] } = shapeOf(definitions, event) ?? {};
      for (const date of event.receivedAt ?? [])
        if (!fields.some(({ key, type }) => key === date && type === 'date'))
          yield `${event.id}: "receivedAt" names "${date}", which is no date of its record.`;
    }
  },

  *answerNamesFields(definitions) {
    for (const event of definitions.events) {
      const { id, answer } = event;
      const { fields = [] } = shapeOf(definitions, event) ?? {};
      const isOf = (key: string, type: string) =>
        fields.some((field) => field.key === key && field.type === type);
      if (!answer) continue;
      if (!isOf(answer.by, 'phone')) yield `${id}: "${answer.by}" is no number of its record.`;
      for (const key of answer.texts)
        if (!isOf(key, 'text')) yield `${id}: "${key}" is no text of its record.`;
    }
  },

  *eventMediaAreListed(definitions) {
    for (const event of definitions.events) {
      const { source, field, if: count } = event.media?.listedBy ?? {};
      if (!source || !field || !count) continue;
      const list = definitions.dataSources.find((one) => one.id === source);
      const shape = shapeOf(definitions, event);
      if (!list?.result.list || !keys(list).includes(field))
        yield `${event.id}: "${source}" is no list with a field "${field}".`;
      if (!shape?.fields.some(({ key, type }) => key === count && type === 'integer'))
        yield `${event.id}: "${count}" is no count of its record.`;
    }
  },

  *reportIsAnEventOfTheRecord({ actions, events }) {
    for (const { id, result, reported } of actions) {
      const event = events.find((one) => one.id === reported?.event);
      if (reported && event?.result.of !== result.of)
        yield `${id}: the event "${reported.event}" does not bring a ${result.of}.`;
    }
  },

  *eventIsIdentified(definitions) {
    for (const event of definitions.events) {
      const { id, identifiedBy, order } = event;
      const needed = [shapeOf(definitions, event)?.key, order?.by];
      for (const key of needed.filter((one) => one !== undefined))
        if (!identifiedBy.includes(key)) yield `${id}: "identifiedBy" needs "${key}", too.`;
    }
  },

  *eventSaysItsAccount({ events }) {
    for (const { id, parameters } of events)
      if (parameters.filter(({ purpose }) => purpose === 'account').length !== 1)
        yield `${id}: one parameter has the purpose "account".`;
  },

  *eventsAreToldApart(definitions) {
    const events = definitions.events.filter(({ when, of }) => when && !of);
    for (const [index, one] of events.entries())
      for (const other of events.slice(index + 1))
        if (
          !one.when?.some((here) => other.when?.some((there) => excludes(here, there))) &&
          !leavesOut(one, other) &&
          !leavesOut(other, one)
        )
          yield `One request can be both "${one.id}" and "${other.id}": "when" and "unless" do not tell them apart.`;
  },

  *orderHasKnownSteps(definitions) {
    for (const event of definitions.events) {
      const { id, order } = event;
      const field = shapeOf(definitions, event)?.fields.find(({ key }) => key === order?.by);
      const steps = order?.steps.flat() ?? [];
      for (const value of steps)
        if (!field?.options?.includes(value))
          yield `${id}: "${value}" in "order" is no choice of "${order?.by}".`;
      for (const value of repeated(steps)) yield `${id}: "order" has "${value}" twice.`;
    }
  },

  *pollingFits(definitions) {
    for (const { id, polled, result } of definitions.events) {
      if (!polled) continue;
      const { source, since, only = {} } = polled;
      const list = definitions.dataSources.find((one) => one.id === source);
      if (!list?.result.list || list.result.of !== result.of)
        yield `${id}: "${source}" is no list of "${result.of}".`;
      if (list?.fields.some(({ required }) => required))
        yield `${id}: "${source}" lists nothing until it is asked for something.`;
      const fields = definitions.records.find((record) => record.id === result.of)?.fields ?? [];
      if (!fields.some(({ key, type }) => key === since && type === 'date'))
        yield `${id}: "${since}" is no date of "${result.of}".`;
      for (const [key, values] of Object.entries(only))
        for (const value of values)
          if (!fields.find((field) => field.key === key)?.options?.includes(value))
            yield `${id}: "${value}" in "only" is no choice of "${key}".`;
    }
  },

  *testsListRecords({ settings, records }) {
    for (const { path, of } of settings.tests)
      if (!records.some(({ id }) => id === of))
        yield `${settings.id}: the test by ${path} reads a "${of}", which no file in records/ describes.`;
  },

  *errorsAreUnique({ errors }) {
    for (const code of repeated(errors.map((error) => error.code)))
      yield `errors.json has the code ${code} twice.`;
  },

  *errorFieldIsKnown(definitions) {
    const known = new Set(operations(definitions).flatMap(keys));
    for (const { code, field } of definitions.errors)
      if (field && !known.has(field))
        yield `errors.json: ${code} names "${field}", no operation's field.`;
  },

  *settingsAreComplete({ settings }) {
    for (const key of ['username', 'password', 'accountSid', 'baseUrl', 'defaultCountry'])
      if (!keys(settings).includes(key)) yield `${settings.id} has no field "${key}".`;
  },
};
