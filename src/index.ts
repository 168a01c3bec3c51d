export type * from '../generated/definition-types.ts';
export { definitions } from '../generated/definitions.ts';
export type * from '../generated/operations.ts';
export { doneSentence } from './answer/done-sentence.ts';
export type { RecordValue, TelephonyRecord } from './answer/read-record.ts';
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
export { cleanPhone } from './input/clean-phone.ts';
export type { Page } from './list/list-pages.ts';
export type { Media, MediaOptions } from './media/open-media.ts';
export { type MediaRequest, type MediaResponse, sendMedia } from './media/send-media.ts';
export type { Operation } from './request/build-request.ts';
export type { TelephonySettings } from './settings/check-settings.ts';
export type { Limits } from './settings/limits.ts';
export { pickSettings } from './settings/pick-settings.ts';
export { settingsWithStoredSecrets } from './settings/settings-with-stored-secrets.ts';
export type { ConnectionTest } from './settings/test-connection.ts';
export { testSettings } from './settings/test-settings.ts';
export { type ErrorCode, type ErrorDetails, TelephonyError } from './telephony-error.ts';
