import { fileStore } from '../../plugin/node-red/store.ts';

// Writes until it is killed, and prints the number of each finished round.

const warn = (fault: unknown) => {
  throw fault;
};
const store = fileStore(process.argv[2] ?? '', { warn, damaged: warn });

async function set(key: string, value: unknown): Promise<void> {
  const entry = await store.get('kind', key);
  if (entry) await store.swap('kind', entry, value);
  else await store.insert('kind', { key, value });
}

const before = await store.get('kind', 'counter');
for (let count = Number(before?.value ?? 0) + 1; ; count += 1) {
  await set('pair', { one: 'x'.repeat(count % 5_000), other: 'x'.repeat(count % 5_000) });
  await set('counter', count);
  process.stdout.write(`${count}\n`);
}
