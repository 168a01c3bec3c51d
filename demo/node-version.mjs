import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Checks whether this Node is new enough for a package.
 *
 * @param {string} name the package's name that people see
 * @param {string} folder the folder of its package.json, whose `engines` require `>=` a version
 * @returns {string | undefined} a sentence if Node is too old
 */
export function nodeTooOld(name, folder) {
  const { engines } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const wanted = engines.node.replace('>=', '');
  const present = process.versions.node;
  if (wanted.localeCompare(present, 'en', { numeric: true }) <= 0) return undefined;
  return `${name} needs Node ${wanted} or newer, and this is ${present}. Get one from https://nodejs.org`;
}
