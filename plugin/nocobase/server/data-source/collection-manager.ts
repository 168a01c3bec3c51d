import { CollectionManager } from '@nocobase/data-source-manager';
import { isMissing, sentence, TelephonyError } from '../../../../src/builder.ts';
import { collectionName } from '../../collection-name.ts';
import { relations } from '../../relations.ts';
import { sourceNamed } from '../../source-named.ts';
import type { Context, DataSource } from '../nocobase.ts';
import { readableRows } from './related-records.ts';

interface Selection {
  filterByTk?: unknown;
  context?: Context;
}

interface Repository {
  collection: object;
  findOne(selection: Selection): Promise<object | null>;
}

const notListed = () =>
  new TelephonyError(
    'input',
    sentence('Related records can be opened, not listed. Use their own list.'),
  );

/** Reads the record that a row refers to, with the user's rights on both lists. */
class RelatedRepository {
  readonly #target: Repository;
  readonly #keyOfRow: (context: Context | undefined) => Promise<unknown>;
  /** NocoBase checks the rights on it. */
  readonly collection: object;

  /** @param keyOfRow reads the key of the related record from the row */
  constructor(target: Repository, keyOfRow: (context: Context | undefined) => Promise<unknown>) {
    this.#target = target;
    this.#keyOfRow = keyOfRow;
    this.collection = target.collection;
  }

  async findOne(selection: Selection = {}): Promise<object | null> {
    const [given] = [selection.filterByTk].flat();
    const filterByTk = isMissing(given) ? await this.#keyOfRow(selection.context) : given;
    return isMissing(filterByTk) ? null : this.#target.findOne({ ...selection, filterByTk });
  }

  async find(): Promise<never> {
    throw notListed();
  }

  async findAndCount(): Promise<never> {
    throw notListed();
  }
}

/** The collections of an account, and the relations between them. */
export class TelephonyCollectionManager extends CollectionManager {
  /** What NocoBase's charts use of a database. */
  readonly db = {
    isDBInstance: false,
    getCollection: (name: string) => this.getCollection(name),
    getRepository: (name: string) => this.getRepository(name),
    getFieldByPath: (path: string) => this.#fieldAt(path),
  };

  /** @param path a collection and a field, or a relation and a field of the related collection */
  #fieldAt(path: string): object | undefined {
    const [name = '', field = '', ...rest] = path.split('.');
    const found = this.getCollection(name)?.getField(field);
    return rest.length > 0 && found?.options.target
      ? this.#fieldAt([found.options.target, ...rest].join('.'))
      : found;
  }

  /**
   * @param name a collection, or a relation of one: `recordings_by_date.call`
   * @param rowKey the key of the row with the relation
   */
  override getRepository(name: string, rowKey?: unknown): object {
    const [collection = '', relation] = name.split('.');
    const source = sourceNamed(collection);
    const found = source && relations(source).find((one) => one.name === relation);
    if (!found) return super.getRepository(name, rowKey);
    const target = super.getRepository(collectionName(found.target)) as Repository;
    return new RelatedRepository(target, async (context) => {
      if (!context || isMissing(rowKey)) return undefined;
      const account = this.dataSource as unknown as DataSource;
      const rows = await readableRows(account, collection, [String(rowKey)], context);
      return rows.get(String(rowKey))?.[found.key];
    });
  }
}
