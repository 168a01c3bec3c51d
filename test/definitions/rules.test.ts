import { readDefinitions, ruleFaults } from '../../schema/read-definitions.ts';
import { rules } from '../../schema/rules.ts';
import { root } from '../support/root.ts';

// biome-ignore lint/suspicious/noExplicitAny: the table breaks the definitions in every way
type Loose = any;

const read = readDefinitions(root);
let definitions: Loose;
beforeEach(async () => {
  definitions = structuredClone(await read);
});

const source = (id: string): Loose => definitions.dataSources.find((one: Loose) => one.id === id);
const action = (id: string): Loose => definitions.actions.find((one: Loose) => one.id === id);
const event = (id: string): Loose => definitions.events.find((one: Loose) => one.id === id);
const record = (id: string): Loose => definitions.records.find((one: Loose) => one.id === id);

const apart = (one: string, other: string) =>
  `One request can be both "${one}" and "${other}": "when" and "unless" do not tell them apart.`;

const broken: [rule: string, breakIt: () => void, faults: string[]][] = [
  [
    'manifestListsEveryFile',
    () => definitions.manifest.actions.pop(),
    ['actions/set-up-a-number.json is not listed in manifest.json.'],
  ],
  [
    'idIsFileName',
    () => {
      definitions.files['records/call.json'] = { id: 'phone-call' };
    },
    ['records/call.json has the id "phone-call"; id and file name are one.'],
  ],
  [
    'operationIdIsNameInKebabCase',
    () => {
      action('send-sms').name = 'Send a text';
    },
    ['"Send a text" needs the id "send-a-text", not "send-sms".'],
  ],
  [
    'idsAreUnique',
    () => definitions.actions.push(structuredClone(action('send-sms'))),
    ['Two of the operations, the events, the replies and the settings have the id "send-sms".'],
  ],
  [
    'versionIsPackageVersion',
    () => {
      definitions.packageVersion = '9.9.9';
      definitions.manifest.version = '9.9.8';
    },
    ['manifest.json has version 9.9.8, package.json 9.9.9.'],
  ],
  [
    'keysAreUnique',
    () => action('send-sms').fields.push({ ...action('send-sms').fields[0] }),
    ['send-sms has two fields "from".'],
  ],
  [
    'keyIsWireNameInCamelCase',
    () => {
      source('account-calls').fields.push({ key: 'size', in: 'query', name: 'PageSize' });
      action('make-a-call').fields[2].key = 'twiml';
    },
    [
      'account-calls: the key of PageSize is "pageSize", not "size".',
      'make-a-call: the key of Twiml is "say", not "twiml".',
    ],
  ],
  [
    'speechAttributesNeedTheirSpeech',
    () => {
      const { fields } = action('make-a-call');
      fields.push({ ...fields[2], key: 'more' });
      fields[3].needs = ['url'];
    },
    [
      'make-a-call has more than one speech.',
      'make-a-call: "language" is an attribute of a speech, so it "needs" the field of that type.',
    ],
  ],
  [
    'operationsHaveNoElements',
    () => {
      action('send-sms').fields[2].in = 'element';
      source('account-messages').fields[0].in = 'attribute';
    },
    [
      'account-messages: "from" is in the answer to an event, which no operation gives.',
      'send-sms: "body" is in the answer to an event, which no operation gives.',
    ],
  ],
  [
    'repliesFillTheirElements',
    () => {
      const [say, forward, record] = event('call-received').replies;
      say.fields[0].in = 'form';
      say.fields[1].key = 'tongue';
      forward.elements = ['Say', 'Number'];
      record.reported = { event: 'recording-done', to: 'Tape.callback' };
    },
    [
      'reply-say: "say" is not in the answer to the event.',
      'reply-say: the key of Say.language is "language", not "tongue".',
      ...['Dial', 'Dial.timeout', 'Dial.callerId', 'Dial.answerOnBridge', 'Dial.action'].map(
        (name) => `reply-forward: "elements" lacks Dial, which ${name} is in.`,
      ),
      'reply-record: "elements" lacks Tape, which Tape.callback is in.',
      'reply-record: no file in events/ has "recording-done", which reports it.',
    ],
  ],
  [
    'ofIsAnotherEvent',
    () => {
      event('opted-out').of = 'opted-in';
      event('opted-in').when[0].name = 'OptOut';
    },
    [
      'opted-out: "opted-in" is no event of a request.',
      'opted-in: OptOut of "when" is no parameter of "sms-received".',
    ],
  ],
  [
    'optOutFits',
    () => {
      event('opted-out').optOut = { is: 'out', recipient: 'who', senders: ['to', 'service'] };
      event('message-status').optOut.ifError = 'error';
    },
    [
      'opted-out: "optOut" names "who", which is no field of its record.',
      'opted-out: "optOut" names "service", which is no field of its record.',
      'message-status: "optOut" names "error", which is no field of its record.',
    ],
  ],
  [
    'repliesLikeFits',
    () => {
      event('call-status').repliesLike = 'call-statuses';
      event('message-status').repliesLike = 'sms-received';
    },
    [
      'message-status: "reply" takes values of the record of "sms-received".',
      'call-status: "repliesLike" names "call-statuses", which has no replies.',
    ],
  ],
  [
    'queryHasCountAndFields',
    () => {
      event('caller-answered').parameters[3].key = 'status';
      event('recording-ready').parameters[4].in = 'query';
      event('call-status').parameters[5].in = 'query';
      const [menu] = event('call-received').replies[3].fields.splice(2, 1);
      event('call-received').replies[1].fields.push(menu);
    },
    [
      'caller-answered: Menu in the query is either a reply\'s field or an integer that "when" and "identifiedBy" name.',
      'caller-answered: Question in the query is either a reply\'s field or an integer that "when" and "identifiedBy" name.',
      'call-status: no reply reports it, so CallDuration is never in the query.',
      'call-status: CallDuration in the query is either a reply\'s field or an integer that "when" and "identifiedBy" name.',
      'recording-ready: RecordingDuration in the query is either a reply\'s field or an integer that "when" and "identifiedBy" name.',
      'reply-forward: "menu" is in the query, but no parameter of the event that reports it is Menu.',
    ],
  ],
  [
    'polledRepliesAreSent',
    () => {
      const [reply] = event('sms-received').replies;
      reply.polled = {
        action: 'send-sms',
        record: { from: 'receiver', recipient: 'from' },
        fields: { body: 'words' },
      };
      event('call-received').replies[0].polled = { action: 'sing', record: {}, fields: {} };
    },
    [
      'reply: "send-sms" has no "recipient".',
      'reply: the record of "sms-received" has no "receiver".',
      'reply: it has no field "words".',
      'reply-say: "sing" can\'t send it when polled.',
    ],
  ],
  [
    'countedRepliesHaveARecipient',
    () => {
      event('sms-received').replies[0].counts = {
        as: 'message',
        toRecord: 'sender',
        text: 'words',
      };
      event('call-received').replies[0].counts = { as: 'call', toField: 'number' };
    },
    [
      'reply: it has no field "words", by which it counts.',
      'reply: the record of "sms-received" has no "sender", by which it counts.',
      'reply-say: it has no field "number", by which it counts.',
    ],
  ],
  [
    'countedActionsHaveARecipient',
    () => {
      action('end-a-call').counts = 'call';
      action('send-sms').fields[0].purpose = undefined;
    },
    [
      'end-a-call: it counts as a call, so it needs one required phone field for the recipient.',
      'send-sms: it counts as a message, so it needs one required phone field for the recipient.',
    ],
  ],
  [
    'exactlyOneOfNamesFields',
    () => {
      action('make-a-call').exactlyOneOf = ['to', 'body'];
    },
    [
      'make-a-call: "exactlyOneOf" names "to", which is no optional field without a default.',
      'make-a-call: "exactlyOneOf" names "body", which is no optional field without a default.',
    ],
  ],
  [
    'rawIsNoField',
    () => record('call').fields.push({ key: 'raw', name: 'raw', type: 'text', label: 'Raw' }),
    ['call: a record\'s "raw" is what the service sent, so no field has this key.'],
  ],
  [
    'hostIsInTheSettings',
    () => {
      source('look-up-a-number').request.host = 'elsewhere';
    },
    ['look-up-a-number: "hosts" of the settings has no "elsewhere".'],
  ],
  [
    'hostsHaveTheirSetting',
    () => {
      definitions.settings.fields = definitions.settings.fields.filter(
        ({ key }: { key: string }) => key !== 'lookupsUrl',
      );
    },
    ['account: "lookupsUrl" of the host "lookups" is no field for a URL.'],
  ],
  [
    'nextIsOfAList',
    () => {
      source('view-a-call').result.next = 'meta.next_page_url';
    },
    ['view-a-call: "next" is of a list, which it isn\'t.'],
  ],
  [
    'pathHasItsFields',
    () => source('view-a-call').fields.pop(),
    ['view-a-call: {CallSid} in the path has no field with "in": "path".'],
  ],
  [
    'pathFieldsAreInPath',
    () => {
      source('view-a-call').request.path = '/Calls.json';
    },
    ['view-a-call: the path does not contain {CallSid}.'],
  ],
  [
    'fixedIsNoField',
    () => {
      action('send-sms').request.fixed = { To: '+14155550100', Via: 'x' };
    },
    ['send-sms: To is fixed, but a field, too.'],
  ],
  [
    'deletionsDeleteTheirRecord',
    () => {
      const { asks: _, ...one } = structuredClone(action('delete-a-message'));
      const [sid] = one.fields;
      const id = 'delete-media';
      const request = { ...one.request, path: '/Messages/{MessageSid}/Media.json' };
      definitions.actions.push({ ...one, id, request });
      definitions.actions.push({ ...one, fields: [sid, { ...sid, in: 'form', name: 'Body' }] });
    },
    [
      'delete-media: it deletes a message, so its path ends in the SID of one.',
      'delete-media: what it deletes is gone, so it "asks" first.',
      'delete-a-message: a DELETE has no body, so its fields are in the path or the query.',
      'delete-a-message: what it deletes is gone, so it "asks" first.',
    ],
  ],
  [
    'questionsNameTheirFields',
    () => {
      action('delete-a-message').asks = 'Delete {messageSid} of {from}?';
    },
    ['delete-a-message: {from} in "asks" is no required field of it.'],
  ],
  [
    'readHasNoFormField',
    () => {
      source('calls-by-caller-id').fields[1].in = 'form';
    },
    ['calls-by-caller-id: "from" is a form field, but a GET has no body.'],
  ],
  [
    'readHasNoSeveralValues',
    () => {
      source('calls-by-caller-id').fields[1].maxValues = 2;
    },
    ['calls-by-caller-id: "from" has several values, but a filter has one.'],
  ],
  [
    'defaultIsAllowed',
    () => {
      source('calls-by-caller-id').fields[0].default = 'lost';
      source('calls-by-caller-id').fields[2].default = 1001;
    },
    [
      'calls-by-caller-id: the default lost of "status" is not allowed there.',
      'calls-by-caller-id: the default 1001 of "pageSize" is not allowed there.',
    ],
  ],
  [
    'needsOtherFields',
    () => {
      action('send-sms').fields[0].needs = ['to', 'from', 'sendAt'];
    },
    [
      'send-sms: "from" needs "from", which is no other field of it.',
      'send-sms: "from" needs "sendAt", which is no other field of it.',
    ],
  ],
  [
    'schedulesFit',
    () => {
      const { schedule } = action('send-a-message').fields.find((field: Loose) => field.schedule);
      Object.assign(schedule, { with: { scheduleType: 'daily', body: 'x' }, status: 'planned' });
    },
    [
      'send-a-message: the "schedule" of "sendAt" fills in "daily", which is no scheduleType.',
      'send-a-message: the "schedule" of "sendAt" fills in "body", which it doesn\'t need.',
      'send-a-message: the "schedule" of "sendAt" has the status "planned", which a message doesn\'t have.',
    ],
  ],
  [
    'choicesFit',
    () => {
      const { choices } = action('send-sms').fields[0];
      action('send-sms').fields[1].choices = { ...choices, source: 'view-a-call' };
      action('send-sms').fields[2].choices = { ...choices, source: 'media-of-a-message' };
      Object.assign(choices, { value: 'number', label: 'name', if: 'fax' });
      Object.assign(action('send-a-template').fields[3].choices, {
        ...{ filledBy: 'to', examples: 'samples' },
      });
    },
    [
      'send-sms: the "choices" of "from" name "number", which is no field of "phone-number".',
      'send-sms: the "choices" of "from" name "name", which is no field of "phone-number".',
      'send-sms: the "choices" of "from" name "fax", which is no field of "phone-number".',
      'send-sms: the "choices" of "to" name "view-a-call", no list.',
      'send-sms: the "choices" of "to" name "view-a-call", which needs an input.',
      'send-sms: the "choices" of "to" name "phoneNumber", which is no field of "call".',
      'send-sms: the "choices" of "to" name "friendlyName", which is no field of "call".',
      'send-sms: the "choices" of "to" name "sms", which is no field of "call".',
      'send-sms: the "choices" of "body" name "media-of-a-message", which needs an input.',
      'send-sms: the "choices" of "body" name "phoneNumber", which is no field of "file".',
      'send-sms: the "choices" of "body" name "friendlyName", which is no field of "file".',
      'send-sms: the "choices" of "body" name "sms", which is no field of "file".',
      'send-a-template: the "choices" of "contentSid" name "to", which is no map that fills "about".',
      'send-a-template: the "choices" of "contentSid" name "samples", which is no field of "message-template".',
    ],
  ],
  [
    'connectsFits',
    () => {
      const { connects, fields } = action('set-up-a-number');
      Object.assign(connects.webhooks[0], { url: 'faxUrl', unless: ['none'] });
      connects.webhooks[1].method = 'status';
      fields[0].choices.source = 'account-calls';
    },
    [
      'set-up-a-number: it "connects" a phone-number, so its path field has choices of a list of them.',
      'set-up-a-number: "connects" names "faxUrl", which is no field of "phone-number".',
      'set-up-a-number: "connects" names "faxUrl", which is no input.',
      'set-up-a-number: "connects" names "none", which is no field of "phone-number".',
      'set-up-a-number: "connects" names "status", which is no input.',
    ],
  ],
  [
    'resultIsKnown',
    () => {
      source('account-calls').result.of = 'conference';
    },
    ['account-calls returns a "conference", which no file in records/ describes.'],
  ],
  [
    'recordStartsWithItsKey',
    () => definitions.records[0].fields.reverse(),
    ['call: the first field of a record is its key "sid", a sid, a phone number or a text.'],
  ],
  [
    'finalStatusesAreOptions',
    () => {
      record('message').final = { field: 'status', values: ['gone'], source: 'view-a-call' };
    },
    [
      'message: "final" has "gone", which is no status.',
      'message: "final" names "view-a-call", which doesn\'t read one message by its sid.',
    ],
  ],
  [
    'createdAtNamesADate',
    () => {
      record('message').createdAt = 'body';
    },
    ['message: "createdAt" names "body", which is no date of it.'],
  ],
  [
    'mediaIsFoundByKey',
    () => {
      record('recording').media.path = '/Recordings/{callSid}.mp3';
    },
    ['recording: the path of its media names {callSid}, not its key {sid}.'],
  ],
  [
    'mediaIsWithoutInAStatus',
    () => {
      record('recording').media.without = [{ field: 'status', values: ['gone'], message: 'Gone.' }];
    },
    ['recording: "without" of its media has "gone", which is no status.'],
  ],
  [
    'mediaNamesAField',
    () => {
      record('recording').media.unless = 'encrypted';
      record('file').media.type = 'mime';
      record('file').media.path = '/Messages/{contentType}/Media/{sid}';
    },
    [
      'recording: "unless" of its media names "encrypted", which is no field of it.',
      'file: "type" of its media names "mime", which is no field of it.',
      'file: the path of its media names {contentType}, which is no SID of it.',
    ],
  ],
  [
    'referenceIsKnown',
    () => {
      record('recording').fields[1].refersTo = 'conference';
    },
    ['recording: "callSid" refers to a "conference", which no file in records/ describes.'],
  ],
  [
    'recordHasUsualFields',
    () => {
      for (const field of record('message').fields) delete field.usual;
    },
    ['message: no field is usual, so that a new table would show nothing.'],
  ],
  [
    'currencyIsInRecord',
    () => {
      record('recording').fields[4].currency = 'unit';
    },
    ['recording: the currency of "duration" is said to be in "unit", which is no field of it.'],
  ],
  [
    'explainedCodeIsInRecord',
    () => {
      record('message').fields[12].explains = 'code';
    },
    ['message: "errorMessage" explains "code", which is no field of it.'],
  ],
  [
    'columnIsInRecord',
    () => {
      source('view-a-call').fields[0].column = 'id';
    },
    ['view-a-call: the record "call" has no field "id".'],
  ],
  [
    'filterHasItsColumn',
    () => {
      source('get-all-recordings-for-a-given-call').fields[0].key = 'call';
    },
    [
      'get-all-recordings-for-a-given-call: "call" needs a "column" of "recording" that records are held against.',
    ],
  ],
  [
    'doneNamesRecordFields',
    () => {
      action('send-sms').done = 'Message {id} {status}';
    },
    ['send-sms: {id} in "done" is no field of "message".'],
  ],
  [
    'ownedByFits',
    () => {
      source('recordings-by-caller-id').ownedBy = {
        field: 'caller',
        owners: 'view-a-call',
        parent: 'callSid',
        key: 'sid',
        records: 'account-calls',
      };
    },
    [
      'recordings-by-caller-id: "ownedBy" names the field "caller", which it does not have.',
      'recordings-by-caller-id: "view-a-call" is no list with a field "caller".',
      'recordings-by-caller-id: the records of "view-a-call" have no field "callSid".',
      'recordings-by-caller-id: "account-calls" is no list with a field "sid".',
    ],
  ],
  [
    'confirmedByFits',
    () => {
      action('send-sms').confirmedBy = {
        ...{ source: 'view-a-message', fields: ['from', 'status'], since: 'status' },
        also: ['to', 'sid'],
        unless: { field: 'way', values: ['inbound'] },
      };
      action('create-a-call-recording').confirmedBy.source = 'account-calls';
    },
    [
      'create-a-call-recording: "account-calls" is no list of "recording".',
      'send-sms: "view-a-message" is no list of "message".',
      'send-sms: "confirmedBy" names "status", which is not both an input and in "message".',
      'send-sms: "confirmedBy" names "sid", which is not both an input and in "message".',
      'send-sms: "status" is no date of "message".',
      'send-sms: the record "message" has no field "way".',
    ],
  ],
  [
    'eventFillsItsRecord',
    () => {
      event('sms-received').fixed.way = 'in';
      event('call-status').parameters.splice(1, 1);
    },
    [
      'sms-received: the record "message" has no field "way".',
      'call-status: no parameter fills "status", which tells one event from another.',
    ],
  ],
  [
    'receivedAtNamesDates',
    () => {
      event('sms-received').receivedAt = ['dateSent', 'status'];
    },
    ['sms-received: "receivedAt" names "status", which is no date of its record.'],
  ],
  [
    'answerNamesFields',
    () => {
      event('sms-received').answer = { by: 'sid', texts: ['body', 'status'] };
    },
    [
      'sms-received: "sid" is no number of its record.',
      'sms-received: "status" is no text of its record.',
    ],
  ],
  [
    'eventMediaAreListed',
    () => {
      Object.assign(event('sms-received').media.listedBy, { field: 'sid', if: 'body' });
    },
    [
      'sms-received: "media-of-a-message" is no list with a field "sid".',
      'sms-received: "body" is no count of its record.',
    ],
  ],
  [
    'reportIsAnEventOfTheRecord',
    () => {
      action('send-sms').reported.event = 'call-status';
    },
    ['send-sms: the event "call-status" does not bring a message.'],
  ],
  [
    'eventIsIdentified',
    () => {
      event('message-status').identifiedBy = ['sid'];
      event('recording-ready').identifiedBy = ['callSid'];
    },
    [
      'message-status: "identifiedBy" needs "status", too.',
      'recording-ready: "identifiedBy" needs "sid", too.',
    ],
  ],
  [
    'eventSaysItsAccount',
    () => {
      for (const parameter of event('call-status').parameters) delete parameter.purpose;
    },
    ['call-status: one parameter has the purpose "account".'],
  ],
  [
    'eventsAreToldApart',
    () => {
      event('message-status').when.splice(1, 1);
      event('call-status').when[1] = { name: 'RecordingStatus', oneOf: ['absent', 'completed'] };
      event('call-status').unless[0].push({ name: 'CallerName', given: true });
      event('call-received').when.splice(4, 1);
    },
    [
      apart('sms-received', 'message-status'),
      apart('call-received', 'call-status'),
      apart('call-received', 'recording-ready'),
      apart('call-status', 'recording-ready'),
    ],
  ],
  [
    'orderHasKnownSteps',
    () => event('call-status').order.steps.push(['asleep'], ['ringing']),
    [
      'call-status: "asleep" in "order" is no choice of "status".',
      'call-status: "order" has "ringing" twice.',
    ],
  ],
  [
    'pollingFits',
    () => {
      event('sms-received').polled.source = 'view-a-message';
      event('message-status').polled.only = { direction: ['inbound', 'sideways'], body: ['yes'] };
      event('call-status').polled = { source: 'account-messages', since: 'status', hours: 1 };
      event('recording-ready').polled.source = 'get-all-recordings-for-a-given-call';
    },
    [
      'sms-received: "view-a-message" is no list of "message".',
      'sms-received: "view-a-message" lists nothing until it is asked for something.',
      'message-status: "sideways" in "only" is no choice of "direction".',
      'message-status: "yes" in "only" is no choice of "body".',
      'call-status: "account-messages" is no list of "call".',
      'call-status: "status" is no date of "call".',
      'recording-ready: "get-all-recordings-for-a-given-call" lists nothing until it is asked for something.',
    ],
  ],
  [
    'testsListRecords',
    () => {
      definitions.settings.tests[1].of = 'letter';
    },
    [
      'account: the test by /Messages.json?PageSize=1 reads a "letter", which no file in records/ describes.',
    ],
  ],
  [
    'errorsAreUnique',
    () => definitions.errors.push(definitions.errors[0]),
    ['errors.json has the code 10002 twice.'],
  ],
  [
    'errorFieldIsKnown',
    () => {
      definitions.errors[0].field = 'size';
    },
    ['errors.json: 10002 names "size", no operation\'s field.'],
  ],
  [
    'settingsAreComplete',
    () => {
      definitions.settings.fields.splice(1, 1);
    },
    ['account has no field "password".'],
  ],
];

test('the definitions follow every rule', () => {
  expect(ruleFaults(definitions)).toEqual([]);
});

test('every rule has an example that breaks it', () => {
  expect(broken.map(([rule]) => rule)).toEqual(Object.keys(rules));
});

test.each(broken)('rule %s reports its broken example in a sentence', (rule, breakIt, faults) => {
  breakIt();
  expect([...(rules[rule]?.(definitions) ?? [])]).toEqual(faults);
});
