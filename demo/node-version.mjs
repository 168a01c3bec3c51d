import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Says that this Node is older than what a package asks for.
 *
 * @param {string} name the package's, for people
 * @param {string} folder that of its package.json, whose `engines` ask for `>=` a version
 * @returns {string | undefined} a sentence, unless it is new enough
 */
export function nodeTooOld(name, folder) {
  const { engines } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const wanted = engines.node.replace('>=', '');
  const present = process.versions.node;
  if (wanted.localeCompare(present, 'en', { numeric: true }) <= 0) return undefined;
  return `${name} needs Node ${wanted} or newer, and this is ${present}. Get one from https://nodejs.org`;
}
