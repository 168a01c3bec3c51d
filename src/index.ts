export type * from '../generated/definition-types.ts';
export { definitions } from '../generated/definitions.ts';
export type * from '../generated/operations.ts';
export type {
  BatchNotes,
  BatchOptions,
  BatchResult,
  BatchRow,
  StoredNote,
} from './batch/batch-options.ts';
export type { Confirmation } from './confirm/confirm.ts';
export { connect } from './connect.ts';
export type { ConnectionTest } from './connection-test/test-connection.ts';
export type { EventId, Fields, IdOf, KeysOf } from './definition/operation.ts';
export {
  isAction,
  isList,
  type ListSource,
  type Operation,
  operation,
  operations,
} from './definition/operation.ts';
export type { DeliveryLog, DeliveryState, EventIdentity } from './events/deliver/delivery-log.ts';
export type {
  EventContext,
  EventOptions,
  EventOutcome,
  RefusalReason,
  WebhookOptions,
} from './events/deliver/event-options.ts';
export type { FilledReply, GivenReply } from './events/deliver/reply.ts';
export { memoryDeliveryLog } from './events/deliver/stored-delivery-log.ts';
export type { TelephonyEvent, WebhookParameters } from './events/deliver/telephony-event.ts';
export type { WebhookResponse } from './events/deliver/webhook-response.ts';
export { type PollEvents, pollEvents, polledEvents } from './events/poll/poll-events.ts';
export type { CursorStore, PollOptions } from './events/poll/poll-options.ts';
export {
  fetchHandler,
  nodeHandler,
  type ServerRequest,
  type ServerResponse,
} from './events/receive/handlers.ts';
export { type EventReading, eventReader } from './events/receive/read-event.ts';
export { type ReceiveEvent, receiveEvents } from './events/receive/receive-events.ts';
export type { GivenRequest, WebhookRequest } from './events/receive/webhook-request.ts';
export { dayIn } from './field-types/days.ts';
export type { ReachedLimit, Usage } from './limits/usage.ts';
export { isPage, type Page } from './list/list-pages.ts';
export type { Media, MediaOptions } from './media/open-media.ts';
export {
  type Listener,
  type MediaRequest,
  type MediaResponse,
  sendMedia,
} from './media/send-media.ts';
export type { RecordValue, TelephonyRecord } from './response/read-record.ts';
export type { TelephonySettings } from './settings/check-settings.ts';
export type { Limits } from './settings/limits.ts';
export type { LimitReached, SpendingLimits } from './settings/spending.ts';
export { finalStatuses } from './status/statuses.ts';
export type { Entry, NewEntry, Store } from './store/store.ts';
export type {
  ActionId,
  ActionOptions,
  ConfirmOptions,
  ConnectOptions,
  Input,
  ListId,
  OperationId,
  Output,
  PagesOptions,
  RunOptions,
  Telephony,
  WaitOptions,
} from './telephony.ts';
export { type ErrorCode, type ErrorDetails, TelephonyError } from './telephony-error.ts';
export { type SmsSegments, smsSegments } from './text/sms-segments.ts';
export type { RequestReport } from './wire/connection.ts';
export { type Http, type HttpRequest, type HttpResponse, isNotSent } from './wire/http.ts';
