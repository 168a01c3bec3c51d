export type * from '../generated/definition-types.ts';
export { definitions } from '../generated/definitions.ts';
export type * from '../generated/operations.ts';
export type { Operation } from './build-request.ts';
export type { TelephonySettings } from './check-settings.ts';
export { cleanPhone } from './clean-phone.ts';
export {
  connect,
  type Input,
  type ListId,
  type OperationId,
  type Output,
  type PagesOptions,
  type RunOptions,
  type Telephony,
} from './connect.ts';
export { doneSentence } from './done-sentence.ts';
export type { Limits } from './limits.ts';
export type { Page } from './list-pages.ts';
export type { Media, MediaOptions } from './open-media.ts';
export { pickSettings } from './pick-settings.ts';
export type { RecordValue, TelephonyRecord } from './read-record.ts';
export { type MediaRequest, type MediaResponse, sendMedia } from './send-media.ts';
export { type ErrorCode, type ErrorDetails, TelephonyError } from './telephony-error.ts';
export type { ConnectionTest } from './test-connection.ts';
export { testSettings } from './test-settings.ts';
