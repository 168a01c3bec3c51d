import { type Answer, failure, json } from './answers.ts';
import type { Request, State } from './state.ts';

/** The types of lines, by the digits that a number begins or ends with. All others are mobile. */
const TYPES: readonly [digits: RegExp, type: string][] = [
  [/^\+18(00|33|44|55|66|77|88)/, 'tollFree'],
  [/9$/, 'landline'],
  [/8$/, 'nonFixedVoip'],
];

const typeOf = (number: string) => TYPES.find(([digits]) => digits.test(number))?.[1] ?? 'mobile';

/** Numbers of test credentials belong to no one. */
const isValid = (number: string) => /^\+[1-9]\d{7,14}$/.test(number) && !/^\+1500/.test(number);

/**
 * `GET /v2/PhoneNumbers/{PhoneNumber}` on the host for look-ups, with the type of the line if `Fields` requests it. Anything but a number is
 * 20404; one that isn't valid is not.
 */
export function lookUp({ account }: State, { sid: number, path, query }: Request): Answer {
  if (!/^\+\d{1,15}$/.test(number)) return failure(20404, { path });
  const valid = isValid(number);
  const [, national] = /^\+1(\d{10})$/.exec(number) ?? [];
  const isAsked = query.get('Fields')?.split(',').includes('line_type_intelligence');
  return json(200, {
    calling_country_code: valid && national ? '1' : null,
    country_code: valid && national ? 'US' : null,
    phone_number: number,
    national_format: national?.replace(/(...)(...)(....)/, '($1) $2-$3') ?? null,
    valid,
    validation_errors: valid ? [] : ['INVALID_BUT_POSSIBLE'],
    caller_name: null,
    sim_swap: null,
    call_forwarding: null,
    live_activity: null,
    line_type_intelligence:
      valid && isAsked
        ? {
            error_code: null,
            mobile_country_code: null,
            mobile_network_code: null,
            carrier_name: 'Sandbox Wireless',
            type: typeOf(number),
          }
        : null,
    identity_match: null,
    reassigned_number: null,
    sms_pumping_risk: null,
    phone_number_quality_score: null,
    url: `${account.origin}${path}`,
  });
}
