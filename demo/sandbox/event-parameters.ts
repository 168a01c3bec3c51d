import { picturesOf } from './pictures.ts';
import { type Call, dateText, type Message, type Recording } from './records.ts';
import type { Parameter } from './signature.ts';

/** The parameters of webhooks, from the service's public documentation. Empty ones are not sent. */
const parameters = (values: Record<string, string | null | undefined>): Parameter[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, value] as const],
  );

/** What a received message says of whether its sender wants more. Only with Advanced Opt-Out of a messaging service. The whole text is the word. */
export const optOutType = ({ body }: Message) =>
  /^\s*(STOP|START|HELP)\s*$/i.exec(body)?.[1]?.toUpperCase();

/** A message was received: for the webhook URL of its number. */
export const messageReceived = (message: Message, origin: string): Parameter[] =>
  parameters({
    ...Object.fromEntries(
      picturesOf(message).flatMap(({ uri, content_type }, index) => [
        [`MediaUrl${index}`, origin + uri.replace(/\.json$/, '')],
        [`MediaContentType${index}`, content_type],
      ]),
    ),
    ...{ ToCountry: 'US', ToState: '', ToCity: '', ToZip: '', FromCountry: 'US' },
    ...{ SmsMessageSid: message.sid, SmsSid: message.sid, MessageSid: message.sid },
    ...{ SmsStatus: 'received', Body: message.body, From: message.from, To: message.to },
    ...{ NumMedia: message.num_media, NumSegments: message.num_segments },
    OptOutType: optOutType(message),
    ...{ AccountSid: message.account_sid, ApiVersion: message.api_version },
  });

/** The status of a message changed: for its status callback. */
export const messageStatus = (message: Message): Parameter[] =>
  parameters({
    ErrorCode: message.error_code === null ? undefined : String(message.error_code),
    ...{ SmsSid: message.sid, MessageSid: message.sid },
    ...{ SmsStatus: message.status, MessageStatus: message.status },
    ...{ From: message.from, To: message.to },
    ...{ AccountSid: message.account_sid, ApiVersion: message.api_version },
  });

/** The parameters of a call in a request for instructions. */
const callParameters = (call: Call) => ({
  ...{ CallSid: call.sid, CallStatus: call.status, Direction: call.direction },
  ...{ From: call.from, Caller: call.from, To: call.to, Called: call.to },
  ...{ AccountSid: call.account_sid, ApiVersion: call.api_version },
});

/** A call was received: for the webhook URL of its number. */
export const callReceived = (call: Call): Parameter[] =>
  parameters({
    ...callParameters(call),
    ...{ FromCountry: 'US', ToCountry: 'US', CallerCountry: 'US', CalledCountry: 'US' },
    ...{ ForwardedFrom: call.forwarded_from, CallerName: call.caller_name },
  });

/** A caller answered or was silent: the call requests further instructions. */
export const callerAnswered = (
  call: Call,
  answer: { Digits?: string; SpeechResult?: string },
): Parameter[] =>
  parameters({
    ...callParameters(call),
    ...answer,
    ...(answer.SpeechResult === undefined ? {} : { Confidence: '0.9', Language: 'en-US' }),
  });

/** The call was forwarded, and that has ended: it requests further instructions. */
export const callForwarded = (call: Call, leg: Call): Parameter[] =>
  parameters({
    ...callParameters(call),
    ...{ DialCallSid: leg.sid, DialCallStatus: leg.status, DialCallDuration: leg.duration },
  });

/** A message was recorded: the call requests further instructions. */
export const messageRecorded = (call: Call, recording: Recording): Parameter[] =>
  parameters({
    ...callParameters(call),
    ...{ RecordingSid: recording.sid, RecordingUrl: recording.media_url },
    ...{ RecordingDuration: recording.duration, Digits: 'hangup' },
  });

/** The status of a call changed: for its status callback. `Duration` is in minutes, as charged. */
export const callStatus = (call: Call, sequence: number, now: Date): Parameter[] =>
  parameters({
    ...callParameters(call),
    ...{ CallbackSource: 'call-progress-events', SequenceNumber: String(sequence) },
    ...{ Timestamp: dateText(now), ParentCallSid: call.parent_call_sid },
    ...(call.duration === null
      ? {}
      : { CallDuration: call.duration, Duration: String(Math.ceil(Number(call.duration) / 60)) }),
  });

/** The status of a recording changed: for its status callback. */
export const recordingStatus = (recording: Recording): Parameter[] =>
  parameters({
    ...{ RecordingSid: recording.sid, CallSid: recording.call_sid },
    ...{ RecordingStatus: recording.status, RecordingUrl: recording.media_url },
    ...{ RecordingDuration: recording.duration, RecordingChannels: String(recording.channels) },
    ...{ RecordingSource: recording.source, RecordingStartTime: recording.start_time },
    ...{ RecordingTrack: 'both', ErrorCode: '0', AccountSid: recording.account_sid },
  });
