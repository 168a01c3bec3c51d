import { type Answer, failure, json } from './answers.ts';
import { newSid } from './random.ts';
import type { Verification } from './records.ts';
import type { Request, State } from './state.ts';

/** The code that the sandbox sends to everyone. */
export const CODE = '123456';

const MOST_ATTEMPTS = 5;
/** How long a code can be checked, in milliseconds. */
const VALID_MS = 600_000;

const keyOf = (service: string, to: string | null) => `${service} ${to}`;

/** The verification of a number, unless its code has expired. */
function pending(state: State, key: string): Verification | undefined {
  const known = state.verifications.get(key);
  return known && state.now().getTime() - known.sentAt < VALID_MS ? known : undefined;
}

/** `POST /v2/Services/{ServiceSid}/Verifications` on the host for codes: sends the code, up to five times. */
export function startVerification(state: State, { sid: service, path, form }: Request): Answer {
  const [to, channel] = [form.get('To'), form.get('Channel')];
  if (!service.startsWith('VA')) return failure(20404, { path });
  if (!/^\+[1-9]\d{6,14}$/.test(to ?? '') || !/^(sms|call|whatsapp)$/.test(channel ?? ''))
    return failure(60200);
  const key = keyOf(service, to);
  const known = pending(state, key);
  if (known && known.sent >= MOST_ATTEMPTS) return failure(60203);
  const now = state.now();
  const date = `${now.toISOString().slice(0, 19)}Z`;
  const record = {
    sid: newSid('VE'),
    ...{ service_sid: service, account_sid: state.account.sid, to, channel },
    ...{
      status: 'pending',
      valid: false,
      date_created: date,
      ...known?.record,
      date_updated: date,
    },
  };
  const sent = (known?.sent ?? 0) + 1;
  state.verifications.set(key, {
    record,
    sentAt: now.getTime(),
    sent,
    checked: known?.checked ?? 0,
  });
  return { ...json(201, record), stored: record.sid };
}

/**
 * `POST /v2/Services/{ServiceSid}/VerificationCheck` on the host for codes: approved, or pending for a wrong code. 60202 after five
 * checks, and 20404 if there is no code to check.
 */
export function checkVerification(state: State, { sid: service, path, form }: Request): Answer {
  const key = keyOf(service, form.get('To'));
  const known = pending(state, key);
  if (!known) return failure(20404, { path });
  if (known.checked >= MOST_ATTEMPTS) return failure(60202);
  known.checked += 1;
  if (form.get('Code') !== CODE) return json(201, known.record);
  state.verifications.delete(key);
  return json(201, { ...known.record, status: 'approved', valid: true });
}
