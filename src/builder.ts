/** What an adapter for a builder needs: the library, and parts of it that programs don't need. */

export { combined } from './async/combined.ts';
export { whenAborted } from './async/follow.ts';
export { inOrder } from './async/in-order.ts';
export { oncePer, onceWithin } from './async/once.ts';
export { purgeHourly } from './async/purge-hourly.ts';
export { sleep } from './async/timers.ts';
export { within } from './async/within.ts';
export type { Batch, BatchPress, BatchRows, SkipChoice } from './batch/batch.ts';
export { sendBatchCsv } from './batch/batch-csv.ts';
export { batchLimits } from './batch/batch-limits.ts';
export {
  type BatchPage,
  type BatchPageChoice,
  batchPage,
  batchPageTexts,
  rowsPerPage,
} from './batch/batch-page.ts';
export {
  alreadySentSentence,
  type BatchBuilder,
  type BatchButton,
  type BatchPart,
  type BatchSection,
  batchPart,
  progressOf,
  progressSentence,
  readingPart,
  readingSentence,
  readingStopped,
} from './batch/batch-part.ts';
export { batchError, batchText } from './batch/batch-text.ts';
export {
  type BatchView,
  batchView,
  type RowView,
  rowColumns,
  rowView,
} from './batch/batch-view.ts';
export { Batches, type PreviousBatch } from './batch/batches.ts';
export { maxBatchRows, type PlannedRow, planRow, planRows, readMaxRows } from './batch/plan-row.ts';
export { repairedBatches } from './batch/repair-batches.ts';
export { isToSend, type RowItem, recipientOf } from './batch/row-item.ts';
export {
  deliveredNote,
  isDoneNote,
  isPendingNote,
  type RowNote,
  type RowNotes,
  successWord,
  undeliveredSid,
} from './batch/row-notes.ts';
export {
  countsByWord,
  countsOf,
  countsSentences,
  countText,
  fewNames,
  isToPreview,
  isWithoutProblems,
  outcomeWord,
  problemInShort,
  problemsOf,
  problemText,
  type RowProblem,
  resultSentence,
  skipReason,
} from './batch/row-summary.ts';
export { type NotesOf, runItems } from './batch/run-items.ts';
export { growingQueue } from './batch/run-rows.ts';
export { SentRows } from './batch/sent-rows.ts';
export { type SingleSends, withSingleSends } from './batch/single-sends.ts';
export { testInput, testProblem } from './batch/test-input.ts';
export {
  type Clicks,
  clicks,
  type KeyedActions,
  type KeyedAnswer,
  type KeyedWork,
  keyedActions,
  workflowSteps,
} from './click/clicks.ts';
export { expireWrites } from './confirm/stored-writes.ts';
export { testSettings } from './connection-test/test-settings.ts';
export {
  emptySenderField,
  endsAtMidnight,
  isSenderField,
  laterField,
  rangeEnd,
  recipientField,
} from './definition/fields.ts';
export {
  actionOf,
  batchActions,
  columnOf,
  eventDefinition,
  filterOnlyFields,
  filters,
  finder,
  freePageSize,
  isDeletion,
  isFilter,
  keyColumn,
  pageSizeField,
  recordFields,
  recordShape,
  requestOf,
  requiredColumns,
  sidColumn,
  tableFields,
  usualPageSize,
} from './definition/operation.ts';
export { type Answer, answerIn, readAnswers } from './events/deliver/answers.ts';
export { eventLog, outcomeSentence } from './events/deliver/event-log.ts';
export { raiseLimitReached } from './events/deliver/raise-event.ts';
export {
  actionLike,
  checkReply,
  type FilledReply,
  replyForms,
  responseWith,
  serviceEvents,
  webhookEvents,
} from './events/deliver/reply.ts';
export {
  deliveryLog,
  type StoredDeliveryLog,
} from './events/deliver/stored-delivery-log.ts';
export { namedEvent } from './events/deliver/telephony-event.ts';
export { noLongerWaiting, WaitingReply, waitingReply } from './events/deliver/waiting-reply.ts';
export {
  type NumberPress,
  type NumbersView,
  numberPress,
  sayNumbers,
  showNumbers,
} from './events/numbers/number-view.ts';
export { type NumbersAccount, numberWebhooks } from './events/numbers/number-webhooks.ts';
export { type EventPoller, eventPoller } from './events/poll/event-poller.ts';
export type { EventPollerOptions, PolledAccount } from './events/poll/poll-options.ts';
export { pollIntervalMs, pollLimits, pollRange } from './events/poll/poll-options.ts';
export {
  type PollState,
  pollStateOf,
} from './events/poll/poll-state.ts';
export { signatureHeaders } from './events/receive/check-signature.ts';
export { openReceiver } from './events/receive/open-receiver.ts';
export { addressBelow } from './events/receive/public-address.ts';
export { sampleRecord } from './events/receive/sample-record.ts';
export { refusalSentences } from './events/receive/webhook-request.ts';
export { dayOf, isDay } from './field-types/days.ts';
export {
  type CheckedField,
  type FieldType,
  type FieldTypeName,
  fieldTypes,
  isValidText,
} from './field-types/field-types.ts';
export type { CleanPhone } from './field-types/phone.ts';
export { cleanPhone, listedPhones, phoneCleaner, phoneSpellings } from './field-types/phone.ts';
export * from './index.ts';
export { checkInput, withCountryCodes, withSender } from './input/check-input.ts';
export { checkValue, isBlank, isMissing } from './input/check-values.ts';
export {
  type FieldParts,
  fieldParts,
  filledIn,
  filledKeys,
  mapValue,
  type Part,
} from './input/fill-in.ts';
export { hasOptedOut, optedOutReason } from './limits/opt-outs.ts';
export { reachedSentences, usageSentence } from './limits/usage-sentences.ts';
export {
  type FieldChoice,
  fieldChoices,
  type OfferedChoices,
  offeredChoices,
} from './list/field-choices.ts';
export { unreadableHint } from './list/hints.ts';
export { mediaKey, mediaKeys } from './media/media-key.ts';
export { unplayableReason } from './media/media-kinds.ts';
export { type QueryField, queryFields, wildcard } from './query/query-fields.ts';
export { queryRunner } from './query/run-query.ts';
export { aggregate, groupedBy, isAggregate, isGiven } from './records/aggregate.ts';
export {
  type Columns,
  type ColumnType,
  columnTypes,
  comparable,
  isDateObject,
  isOrdered,
  plain,
  type Row,
} from './records/comparable.ts';
export {
  and,
  type Condition,
  conjuncts,
  constant,
  type Leaf,
  leaves,
  mentions,
  not,
  type Order,
  or,
  type Pattern,
  possibleValues,
  replaceLeaves,
  type Truth,
} from './records/condition.ts';
export { fieldCondition } from './records/field-condition.ts';
export { matcher, truthOf } from './records/matcher.ts';
export {
  axisOf,
  type Charted,
  type Period,
  periodOf,
  periodsBetween,
  type Series,
  seriesOf,
} from './records/periods.ts';
export {
  assertFew,
  fitsNone,
  type Inputs,
  listBefore,
  numberHint,
  pushDown,
  type Query,
  queriesOf,
} from './records/requests.ts';
export { SharedPages } from './records/shared-pages.ts';
export { compare, type SortBy, sorted } from './records/sort.ts';
export { aboutValues } from './response/about-values.ts';
export { doneSentence, errorSentence, questionOf } from './response/error-sentence.ts';
export { hasUnknownOutcome } from './response/outcome.ts';
export { defaultLimits } from './settings/limits.ts';
export { openSecrets, sealSecrets } from './settings/seal-secrets.ts';
export { pickLimits } from './settings/spending.ts';
export {
  addressKeys,
  pickAddresses,
  pickSettings,
  secretKeys,
  settingsWithStoredSecrets,
} from './settings/stored-settings.ts';
export {
  deliveryOutcome,
  isScheduled,
  type StatusMeaning,
  statusMeaning,
} from './status/statuses.ts';
export { type MemoryStore, memoryStore } from './store/memory-store.ts';
export { rowStore, type StoreRow, storeHash } from './store/row-store.ts';
export { openSqliteStore } from './store/sqlite-store.ts';
export {
  changeEntry,
  type LogStore,
  storeProblem,
  unusableFileText,
  writeEntry,
} from './store/store.ts';
export { durationText, numberText } from './text/format.ts';
export { parseUrl } from './text/parse-url.ts';
export {
  type TimeReader,
  timeWriter,
  type WriteTime,
  withReadableTimes,
} from './text/readable-times.ts';
export {
  inEnglish,
  type Said,
  type Say,
  type Sentence,
  sayIn,
  sentence,
  sentenceOf,
  sentenceParts,
  sentences,
  type TranslateText,
} from './text/sentence.ts';
export { setSettingsLocation, settingsLocation } from './text/settings-location.ts';
export { isSmsText, smsCount } from './text/sms-segments.ts';
export { nodeHttp } from './wire/node-http.ts';
