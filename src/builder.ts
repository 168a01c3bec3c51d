/** What an adapter for a builder needs: the library, and parts of it that programs don't need. */

export type { Batch, BatchPress, BatchRows, SkipChoice } from './batch/batch.ts';
export { sendBatchCsv } from './batch/batch-csv.ts';
export {
  type BatchPage,
  type BatchPageChoice,
  batchPage,
  rowsPerPage,
} from './batch/batch-page.ts';
export {
  batchError,
  batchText,
  changedText,
  confirmedText,
  costText,
  counted,
  progressOf,
  repeatedText,
  sentSinglyText,
  shownAgainText,
  skippedText,
  toSendCount,
  unknownText,
} from './batch/batch-text.ts';
export { type BatchView, batchView } from './batch/batch-view.ts';
export { Batches, type PreviousBatch } from './batch/batches.ts';
export { growingQueue } from './batch/growing-queue.ts';
export { maxBatchRows, readMaxRows } from './batch/max-rows.ts';
export { type PlannedRow, planRow, planRows } from './batch/plan-row.ts';
export { recipientOf } from './batch/recipient.ts';
export { repairedBatches } from './batch/repair-batches.ts';
export { isToSend, type RowItem } from './batch/row-item.ts';
export {
  isDoneNote,
  isPendingNote,
  type RowNote,
  type RowNotes,
  successWord,
} from './batch/row-notes.ts';
export {
  allNames,
  batchLabel,
  countsByWord,
  countsInWords,
  countsOf,
  countText,
  fewNames,
  isToPreview,
  isWithoutProblems,
  outcomeWord,
  problemInShort,
  problemsOf,
  problemText,
  problemWord,
  type RowProblem,
  rowCount,
  type SomeRows,
} from './batch/row-summary.ts';
export { type RowView, rowColumns } from './batch/row-view.ts';
export { type NotesOf, runItems } from './batch/run-items.ts';
export { runSingle, type SingleSend } from './batch/single-sends.ts';
export { canTest, testInput, testLabel, testProblem } from './batch/test-input.ts';
export { type Clicks, clicks, workflowSteps } from './click/clicks.ts';
export { combined } from './combined.ts';
export { expireWrites } from './confirm/stored-writes.ts';
export { eventDefinition } from './definition/event-definition.ts';
export {
  actionOf,
  isFilter,
  pageSizeField,
  requestOf,
  usualPageSize,
} from './definition/operation.ts';
export { rangeEnd } from './definition/range-end.ts';
export { recipientField } from './definition/recipient-field.ts';
export { recordShape } from './definition/record-shape.ts';
export { emptySenderField, isSenderField } from './definition/sender-field.ts';
export { sidColumn } from './definition/sid-column.ts';
export {
  columnOf,
  filterOnlyFields,
  filters,
  freePageSize,
  keyColumn,
  recordFields,
  requiredColumns,
  tableFields,
} from './definition/source-fields.ts';
export { durationText } from './duration-text.ts';
export { eventLog, outcomeSentence } from './events/deliver/event-log.ts';
export { namedEvent } from './events/deliver/named-event.ts';
export { replyForms } from './events/deliver/reply.ts';
export {
  deliveryLog,
  type StoredDeliveryLog,
} from './events/deliver/stored-delivery-log.ts';
export { WaitingReply, waitingReply } from './events/deliver/waiting-reply.ts';
export { type EventPoller, eventPoller } from './events/poll/event-poller.ts';
export type { EventPollerOptions, PolledAccount } from './events/poll/event-poller-options.ts';
export { pollIntervalMs, pollMinutes } from './events/poll/poll-interval.ts';
export { pollLimits } from './events/poll/poll-limits.ts';
export {
  type PollState,
  pollStateOf,
} from './events/poll/poll-state.ts';
export { addressBelow } from './events/receive/address-below.ts';
export { signatureHeaders } from './events/receive/check-signature.ts';
export { openReceiver } from './events/receive/open-receiver.ts';
export { sampleRecord } from './events/receive/sample-record.ts';
export {
  type FieldChoice,
  fieldChoices,
  type OfferedChoices,
  offeredChoices,
} from './field-choices.ts';
export type { CleanPhone } from './field-types/clean-phone.ts';
export { type FieldType, type FieldTypeName, fieldTypes } from './field-types/field-types.ts';
export { type CheckedField, isValidText } from './field-types/is-valid-text.ts';
export { isNational } from './field-types/national-number.ts';
export { cleanPhone } from './field-types/read-phone.ts';
export { samePhone } from './field-types/same-phone.ts';
export { whenAborted } from './follow.ts';
export { inOrder } from './in-order.ts';
export * from './index.ts';
export { checkInput } from './input/check-input.ts';
export { isBlank } from './input/check-values.ts';
export { emptyHint } from './input/empty-hint.ts';
export { type FieldParts, fieldParts, filledIn, filledKeys, type Part } from './input/fill-in.ts';
export { isMissing } from './input/is-missing.ts';
export { countryCodeHint } from './input/phone-problem.ts';
export { withCountryCodes } from './input/with-country-codes.ts';
export { withSender } from './input/with-sender.ts';
export { unreadableHint } from './list/unreadable-records.ts';
export { mediaKey, mediaKeys } from './media/media-key.ts';
export { unplayableReason } from './media/unplayable-reason.ts';
export { numberText } from './number-text.ts';
export { oncePer } from './once-per.ts';
export { onceWithin } from './once-within.ts';
export { parseUrl } from './parse-url.ts';
export { purgeHourly } from './purge-hourly.ts';
export { type QueryField, queryFields, wildcard } from './query/query-fields.ts';
export { queryRunner } from './query/run-query.ts';
export { aboutValues } from './response/about-values.ts';
export { doneSentence } from './response/done-sentence.ts';
export { errorSentence } from './response/error-sentence.ts';
export { hasUnknownOutcome } from './response/outcome.ts';
export { defaultLimits } from './settings/limits.ts';
export { pickSettings } from './settings/pick-settings.ts';
export { openSecrets, sealSecrets } from './settings/seal-secrets.ts';
export { secretKeys } from './settings/secret-keys.ts';
export { setSettingsLocation, settingsLocation } from './settings/settings-location.ts';
export { settingsWithStoredSecrets } from './settings/settings-with-stored-secrets.ts';
export { testSettings } from './settings/test-settings.ts';
export { isSmsText, smsCount } from './sms-segments.ts';
export { type StatusMeaning, statusMeaning } from './status/status-meaning.ts';
export { type MemoryStore, memoryStore } from './store/memory-store.ts';
export { rowStore, type StoreRow } from './store/row-store.ts';
export type { LogStore } from './store/store.ts';
export { storeHash } from './store/store-hash.ts';
export { unusableFileText } from './store/unusable-file-text.ts';
export { sleep } from './timers.ts';
export { dayAfter, isDay } from './whole-day.ts';
export { nodeHttp } from './wire/node-http.ts';
export { within } from './within.ts';
