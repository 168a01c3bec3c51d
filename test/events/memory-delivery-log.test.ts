import { memoryDeliveryLog } from '../../src/builder.ts';
import { eventIdentity, keepsDeliveries } from './keeps-deliveries.ts';

describe('a delivery log in memory', () => {
  keepsDeliveries(memoryDeliveryLog);

  test('forgets the oldest events beyond its capacity', async () => {
    const log = memoryDeliveryLog(3);
    for (const sid of ['SM1', 'SM2', 'SM3', 'SM4']) await log.begin(eventIdentity(sid, 6));
    for (const sid of ['SM2', 'SM3', 'SM4'])
      expect(await log.begin(eventIdentity(sid, 6))).toBe('in-progress');
    // Its key, signature and step are all forgotten.
    expect(await log.begin(eventIdentity('SM1', 4))).toBe('new');
  });
});
