import db from '@saltcorn/data/db';
import type { EventDefinition } from '../../../src/builder.ts';
import type { Row } from '../where/where.ts';

/** Identifies a waiting reply by the event's record, which is the row of triggers. */
export const replyId = ({ id, identifiedBy }: EventDefinition, row: Row): string =>
  JSON.stringify([db.getTenantSchema(), id, ...identifiedBy.map((key) => row[key])]);
