import { isMissing, type Sentence, sentence, sentences } from '../../../../src/builder.ts';
import { type Row, selectedRows } from '../bulk/selected-rows.ts';
import type { Application, Context } from '../nocobase.ts';
import { textOf } from '../text-of.ts';
import type { BlockCollection, ButtonBlock, Popup } from './button-block.ts';
import { Forbidden } from './rights.ts';
import { scopeFilter } from './scope-filter.ts';

const isSame = (one: BlockCollection, other: BlockCollection | undefined) =>
  one.dataSource === other?.dataSource && one.collection === other.collection;

const refused = (said: Sentence) =>
  new Forbidden(
    sentences(
      said,
      sentence(
        "Your role may only use buttons whose records NocoBase's server can check. Nothing was sent.",
      ),
    ),
  );

const inNoPopup = () =>
  refused(
    sentence('This button uses the record of a popup, but is in a popup template or in no popup.'),
  );

/** Reads, on the server, the rows for which a user may click a button that they may only use as configured. */
export class ButtonRows {
  readonly #app: Application;
  readonly #context: Context;
  /** The records of the open popups, by the uids of the models that open them. They come from the browser. */
  readonly #shown: Map<string, unknown>;
  readonly #read = new Map<Popup, Promise<Row>>();

  constructor(app: Application, context: Context, popups: unknown) {
    this.#app = app;
    this.#context = context;
    this.#shown = new Map(Object.entries(Object(popups)));
  }

  /**
   * Returns the filters that a block's rows must match. If the block shows its popup's record, that record must also
   * match the filters of the block that opens the popup.
   *
   * @param reading the request that lists the rows
   * @throws {Forbidden} if only the browser knows the rows, or a variable has no value
   */
  async filters(block: ButtonBlock | undefined, reading: Context): Promise<object[]> {
    if (!block) return [];
    const { scopes, popup, isOfPopup } = block;
    const record = () => this.record(popup);
    const filters: object[] = [];
    for (const scope of scopes) {
      const filter = await scopeFilter(reading, scope, record);
      if (filter) filters.push(filter);
    }
    if (!isOfPopup || !popup || !isSame(block, popup.opener)) return filters;
    return [...filters, ...(await this.filters(popup.opener, reading))];
  }

  /**
   * Reads a popup's record with the user's rights.
   *
   * @throws {Forbidden} if no block's row opens the popup, or the record is outside that block
   * @throws {TelephonyError} if the record can't be read
   */
  record(popup: Popup | undefined): Promise<Row> {
    if (!popup?.opener) return Promise.reject(inNoPopup());
    const read = this.#read.get(popup) ?? this.#recordOf(popup, popup.opener);
    this.#read.set(popup, read);
    return read;
  }

  async #recordOf(popup: Popup, opener: ButtonBlock): Promise<Row> {
    const { dataSource, collection, key } = Object(this.#shown.get(popup.uid));
    if (isMissing(key))
      throw refused(sentence('This button uses the record of a popup that shows none.'));
    const shown = { dataSource: textOf(dataSource), collection: textOf(collection) };
    if (!isSame(shown, popup))
      throw refused(
        sentence('The popup of this button does not show rows of “{collection}”.', {
          collection: shown.collection,
        }),
      );
    // The data scope then filters another collection, such as the orders of the customer that the popup shows.
    if (!isSame(shown, opener) && opener.scopes.length > 0)
      throw refused(
        sentence(
          'The popup of this button shows a row of “{collection}”, which is outside the data scope of the block that opens it.',
          { collection: shown.collection },
        ),
      );
    const filters = async (reading: Context) =>
      isSame(shown, opener) ? this.filters(opener, reading) : [];
    const { rows } = await selectedRows(
      this.#app,
      this.#context,
      { ...shown, rows: [key], input: {} },
      filters,
    );
    const [row = {}] = rows;
    return row;
  }
}
