import { phoneCleaner, phoneSpellings } from '../../../src/builder.ts';
import { phoneOperator } from '../phone-operator.ts';
import { accountsResource } from '../resources.ts';
import type { Accounts } from './account/account.ts';
import type { Application } from './nocobase.ts';
import { textOf } from './text-of.ts';

/** The parts of Sequelize that the operator uses. */
interface Sql {
  fn(name: string, ...of: unknown[]): object;
  col(name: string): object;
  where(left: object, condition: object): object;
  constructor: { Op: Record<'in' | 'like' | 'notLike' | 'and' | 'or', symbol> };
}

/** The column that a filter names, as NocoBase's database passes it to an operator. */
interface FilteredColumn {
  db: { sequelize: Sql };
  /** `customer.phone` is one of a related record. */
  fullName: string;
  fieldName: string;
  model: SqlModel;
}

interface SqlModel {
  name: string;
  rawAttributes: Record<string, { field?: string } | undefined>;
  associations: Record<string, { target: SqlModel } | undefined>;
}

/** What people write between the digits of a number. */
const marks = [...' ()[].-\t\u00a0\u202f\u2010\u2011\u2012\u2013'];

/** How texts end whose last digits may be decimals or an extension: without the marks, `4930123456.0` is another person's number. */
const unclearEnds = ['%._', '%)', '%]'];

/** The column's name in the query. */
function sqlName({ fullName, fieldName, model }: FilteredColumn): string {
  const path = fullName.split('.').slice(0, -1);
  const target = path.reduce<SqlModel | undefined>(
    (one, name) => one?.associations[name]?.target,
    model,
  );
  return `${path.join('->') || model.name}.${target?.rawAttributes[fieldName]?.field ?? fieldName}`;
}

/**
 * Adds an operator to the filters of NocoBase's own tables. It completes national numbers if all accounts have the same default country:
 * otherwise, they could be those of other people.
 */
export function registerPhoneOperator(app: Application, accounts: Accounts): void {
  const { db } = app;
  const countries = new Map<string, string>();
  db.on(`${accountsResource}.afterSave`, (row) => {
    countries.set(textOf(row.get('key')), textOf(row.get('defaultCountry')));
  });
  db.on(`${accountsResource}.afterDestroy`, (row) => {
    countries.delete(textOf(row.get('key')));
  });
  app.on('afterStart', async () => {
    for (const { key, settings } of await accounts.all())
      countries.set(key, textOf(settings.defaultCountry));
  });
  db.registerOperators({
    [phoneOperator]: (value: unknown, column: FilteredColumn) => {
      const [country, ...others] = new Set(countries.values());
      const clean = phoneCleaner((others.length === 0 && country) || undefined);
      const { sequelize } = column.db;
      const stored = marks.reduce(
        (inner, mark) => sequelize.fn('REPLACE', inner, mark, ''),
        sequelize.col(sqlName(column)),
      );
      // Without a number, it finds no row.
      const spellings = [value].flat().flatMap((one) => phoneSpellings(textOf(one), clean));
      const { Op } = sequelize.constructor;
      return {
        [Op.and]: [
          sequelize.where(stored, { [Op.in]: spellings }),
          ...unclearEnds.map((end) => ({ [Op.notLike]: end })),
          // `01.23.45.67.00` has no decimals.
          { [Op.or]: [{ [Op.notLike]: '%.00' }, { [Op.like]: '%.%.00' }] },
        ],
      };
    },
  });
}
