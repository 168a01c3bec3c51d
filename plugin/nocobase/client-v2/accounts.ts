import { definitions } from '../../../src/builder.ts';
import { type Host, request } from './host.ts';

interface Source {
  key: string;
  displayName: string;
  type: string;
}

/** Lists the accounts to choose from. Each is a data source. */
export async function accountChoices(host: Host): Promise<{ value: string; label: string }[]> {
  const sources = await request<Source[]>(host, 'dataSources:listEnabled');
  return sources
    .filter(({ type }) => type === definitions.manifest.id)
    .map(({ key, displayName }) => ({ value: key, label: displayName }));
}
