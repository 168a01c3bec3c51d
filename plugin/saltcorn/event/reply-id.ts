import db from '@saltcorn/data/db';
import { type EventDefinition, recordShape } from '../../../src/builder.ts';
import type { Row } from '../where/where.ts';

/** Identifies a waiting reply by the event's record, which is the row of triggers. */
export const replyId = ({ id, result }: EventDefinition, row: Row): string =>
  JSON.stringify([db.getTenantSchema(), id, row[recordShape(result.of).key]]);
