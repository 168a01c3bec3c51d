export type * from '../generated/definition-types.ts';
export { definitions } from '../generated/definitions.ts';
export type * from '../generated/operations.ts';
export { aboutValues } from './answer/about-values.ts';
export { doneSentence } from './answer/done-sentence.ts';
export { errorSentence } from './answer/error-sentence.ts';
export { mayHaveBeenDone } from './answer/outcome.ts';
export type { RecordValue, TelephonyRecord } from './answer/read-record.ts';
export type { Batch, BatchPress, BatchRows } from './batch/batch.ts';
export { type BatchCost, batchCost } from './batch/batch-cost.ts';
export { Batches, type PreviousBatch } from './batch/batches.ts';
export { continueBatch, type EarlierBatch, interruptedItems } from './batch/continue-batch.ts';
export { type EarlierStoredBatch, entriesOfEarlierBatches } from './batch/earlier-batches.ts';
export { type PlannedRow, planRow, withoutSame } from './batch/plan-row.ts';
export type { RowItem, RowOutcome } from './batch/row-item.ts';
export {
  isDoneNote,
  isPendingNote,
  type RowNote,
  type RowNotes,
  recordedState,
  successWord,
} from './batch/row-notes.ts';
export {
  batchLabel,
  countsByWord,
  countsOf,
  countsSaid,
  isWithoutProblems,
  problemSaid,
  problemsOf,
  problemWord,
  type RowProblem,
} from './batch/row-summary.ts';
export { abandon, type NotesOf, runItems } from './batch/run-items.ts';
export type { RowEnd, RunRow } from './batch/run-row.ts';
export { runRows } from './batch/run-rows.ts';
export { type Clicks, clicks } from './click/clicks.ts';
export { connect } from './connect.ts';
export { type EventId, eventDefinition } from './definition/event-definition.ts';
export {
  isAction,
  isList,
  type ListSource,
  type Operation,
  operation,
  operations,
  pageSizeField,
  requestOf,
  usualPageSize,
} from './definition/operation.ts';
export { rangeEnd } from './definition/range-end.ts';
export { recordShape } from './definition/record-shape.ts';
export { emptySenderField, isSenderField } from './definition/sender-field.ts';
export {
  columnOf,
  filterOnlyFields,
  filters,
  freePageSize,
  keyColumn,
  recordFields,
  requiredColumns,
} from './definition/source-fields.ts';
export {
  type DeliveryLog,
  deliveryLog,
  type EarlierDelivery,
  entriesOfEarlier,
  eventMemory,
} from './events/deliver/delivery-log.ts';
export type { EventAnswer } from './events/deliver/event-answer.ts';
export type { EventMemory, EventNote, KnownEvent } from './events/deliver/event-memory.ts';
export type {
  EventOptions,
  EventPlace,
  EventReport,
  TellOptions,
} from './events/deliver/event-options.ts';
export { namedEvent } from './events/deliver/named-event.ts';
export type { TelephonyEvent } from './events/deliver/telephony-event.ts';
export { replyField, WaitingReply, waitingReply } from './events/deliver/waiting-reply.ts';
export {
  type EventPoller,
  type EventPollerOptions,
  eventPoller,
  type PolledAccount,
} from './events/poll/event-poller.ts';
export { type PollEvents, pollEvents, polledEvents } from './events/poll/poll-events.ts';
export { pollIntervalMs, pollMinutes } from './events/poll/poll-interval.ts';
export { pollLimits } from './events/poll/poll-limits.ts';
export type { PolledSoFar, PollOptions } from './events/poll/poll-options.ts';
export {
  type EarlierPoll,
  entriesOfEarlierPoll,
  type PollState,
  pollStateOf,
} from './events/poll/poll-state.ts';
export { addressBelow } from './events/receive/address-below.ts';
export {
  answerEvent,
  type EventResponse,
  type IncomingEvent,
} from './events/receive/answer-event.ts';
export type { EventRequest, RefusalReason } from './events/receive/event-request.ts';
export { type EventReading, eventReader } from './events/receive/read-event.ts';
export { type ReceiveEvent, receiveEvents } from './events/receive/receive-events.ts';
export { type CleanPhone, cleanPhone } from './field-types/clean-phone.ts';
export { type FieldType, type FieldTypeName, fieldTypes } from './field-types/field-types.ts';
export { isNational } from './field-types/national-number.ts';
export { samePhone } from './field-types/same-phone.ts';
export { whenAborted } from './follow.ts';
export { checkInput } from './input/check-input.ts';
export { countryCodeHint } from './input/country-codes.ts';
export { withCountryCodes } from './input/with-country-codes.ts';
export { isPage, type Page } from './list/list-pages.ts';
export type { Media, MediaOptions } from './media/open-media.ts';
export {
  type Listener,
  type MediaRequest,
  type MediaResponse,
  sendMedia,
} from './media/send-media.ts';
export { whySilent } from './media/why-silent.ts';
export { onceWithin } from './once-within.ts';
export { purgeHourly } from './purge-hourly.ts';
export type { TelephonySettings } from './settings/check-settings.ts';
export type { Limits } from './settings/limits.ts';
export { pickSettings } from './settings/pick-settings.ts';
export { isSealed, openSecrets, sealSecrets } from './settings/seal-secrets.ts';
export { secretKeys } from './settings/secret-keys.ts';
export { nameSettingsPlace } from './settings/settings-place.ts';
export { settingsWithStoredSecrets } from './settings/settings-with-stored-secrets.ts';
export type { ConnectionTest } from './settings/test-connection.ts';
export { testSettings } from './settings/test-settings.ts';
export { type SmsSegments, smsCount, smsSegments } from './sms-segments.ts';
export { type MemoryStore, memoryStore } from './store/memory-store.ts';
export type { Entry, NewEntry, Store } from './store/store.ts';
export { type StoreRow, storeEntry, storeHash, storeIndex, storeRow } from './store/store-row.ts';
export type {
  ConnectOptions,
  Input,
  ListId,
  OperationId,
  Output,
  PagesOptions,
  RunOptions,
  Telephony,
} from './telephony.ts';
export { type ErrorCode, type ErrorDetails, TelephonyError } from './telephony-error.ts';
