import { childOf } from '../support/child-of.ts';

/** The process of NocoBase itself, next to that of its database. */
export const applicationOf = (pid: number): number => childOf(pid, '@nocobase/app');
