import { CollectionManager } from '@nocobase/data-source-manager';
import { isMissing, TelephonyError } from '../../../../src/builder.ts';
import { collectionName } from '../../collection-name.ts';
import { relations } from '../../relations.ts';
import { sourceNamed } from '../../source-named.ts';

interface Repository {
  collection: object;
  findOne(selection: { filterByTk?: unknown }): Promise<object | null>;
}

const notListed = () =>
  new TelephonyError('input', 'Related records can be opened, not listed. Use their own list.');

/** Reads the record that a row refers to, with the user's rights on its list. */
class RelatedRepository {
  readonly #target: Repository;
  readonly collection: object;

  constructor(target: Repository) {
    this.#target = target;
    this.collection = target.collection;
  }

  async findOne(selection: { filterByTk?: unknown }): Promise<object | null> {
    const [key] = [selection.filterByTk].flat();
    return isMissing(key) ? null : this.#target.findOne(selection);
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
  /** @param name a collection, or a relation of one: `recordings_by_date.call` */
  override getRepository(name: string, sourceKey?: unknown): object {
    const [collection = '', relation] = name.split('.');
    const source = sourceNamed(collection);
    const found = source && relations(source).find((one) => one.name === relation);
    if (!found) return super.getRepository(name, sourceKey);
    const target = super.getRepository(collectionName(found.target));
    return new RelatedRepository(target as Repository);
  }
}
