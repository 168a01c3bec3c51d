import type { EarlierEntry } from '../../store/store.ts';
import { storeHash } from '../../store/store-hash.ts';
import { type Delivery, kindsOf, type Signed } from './stored-delivery-log.ts';

/** A delivery that an earlier version recorded outside the store. */
export interface EarlierDelivery extends Delivery {
  signature: string;
  subject: string;
}

/**
 * Returns the store entries for deliveries that an earlier version recorded outside the store.
 *
 * @param isHashed whether their keys are already hashes
 */
export function entriesOfEarlierDeliveries(
  earlier: EarlierDelivery[],
  account = '',
  isHashed = false,
): EarlierEntry[] {
  const kinds = kindsOf(account);
  const own = (text: string) => (isHashed ? text : storeHash(account, text));
  const subjects = new Map<string, Delivery[]>();
  const last = new Map<string, number>();
  for (const { signature: _, subject, key, ...delivery } of earlier) {
    const others = subjects.get(own(subject)) ?? [];
    subjects.set(own(subject), [...others, { ...delivery, key: own(key) }]);
    const id = isHashed ? 'earlier' : key.slice(0, key.indexOf('/'));
    if (delivery.by === undefined) last.set(id, Math.max(delivery.at, last.get(id) ?? 0));
  }
  const signed = earlier.filter(({ key, signature }) => key !== signature);
  return [
    ...[...last].map(
      ([key, at]): EarlierEntry => [kinds.last, { key, index: 'last', value: at }, at],
    ),
    ...[...subjects].map(
      ([key, value]): EarlierEntry => [
        kinds.deliveries,
        { key, value },
        Math.max(...value.map(({ at }) => at)),
      ],
    ),
    ...signed.map(
      ({ key, signature, subject, at }): EarlierEntry => [
        kinds.signatures,
        { key: own(signature), value: { key: own(key), subject: own(subject) } satisfies Signed },
        at,
      ],
    ),
  ];
}
