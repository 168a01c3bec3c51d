import db from '@saltcorn/data/db';
import { type EventDefinition, recordShape } from '../../../src/builder.ts';
import type { Row } from '../where/where.ts';

/** What waits for the reply to an event is found by its record, which is the row of triggers. */
export const replyId = ({ id, result }: EventDefinition, row: Row): string =>
  JSON.stringify([db.getTenantSchema(), id, row[recordShape(result.of).key]]);
