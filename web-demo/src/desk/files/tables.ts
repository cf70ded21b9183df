// Instances as tables: P0's published layout (.tsv), and one line per app (.csv).
import { StowageError, parseQuantity, type ClassColumns, type InstanceColumns, type Resource } from 'stowage';

const DEFAULT_CLASS: ClassColumns = { name: 'node', capacity: Float64Array.of(64, 128) };
const TSV_HEADER = ['app_id', 'nb_instances', 'core', 'memory', 'inter_degree', 'inter_aff'] as const;

function malformed(path: string, message: string): StowageError {
  return new StowageError('MALFORMED', message, path);
}

function whole(text: string, path: string): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value > 0xffffffff) throw malformed(path, `"${text.slice(0, 40)}" is not a whole number`);
  return value;
}

function amount(text: string, unit: string, path: string): number {
  const value = parseQuantity(text, unit);
  if (value === undefined || value < 0) throw malformed(path, `"${text.slice(0, 40)}" is not an amount`);
  return value;
}

interface Row {
  name: string;
  replicas: number;
  /** Demand per resource and period. */
  demand: number[][];
  /** Apps by name or position, with their limits. */
  limits: [string, number][];
  priority: number;
  path: string;
}

/** Columns from the rows. A profile of one value applies to all periods. */
function columnsOfRows(
  rows: readonly Row[],
  resources: readonly Resource[],
  classes: readonly ClassColumns[],
): InstanceColumns {
  const periods = rows.reduce((most, row) => Math.max(most, ...row.demand.map((profile) => profile.length)), 1);
  const demand = new Float64Array(rows.length * resources.length * periods);
  const position = new Map<string, number>();
  rows.forEach((row, app) => {
    if (row.name === '') throw malformed(row.path, 'the app has no name');
    if (position.has(row.name)) throw malformed(row.path, `"${row.name}" stands twice`);
    position.set(row.name, app);
    row.demand.forEach((profile, resource) => {
      if (profile.length !== 1 && profile.length !== periods) {
        throw malformed(row.path, `${profile.length} values of ${resources[resource]!.name}; others have ${periods}`);
      }
      const begin = (app * resources.length + resource) * periods;
      for (let period = 0; period < periods; ++period) demand[begin + period] = profile[profile.length === 1 ? 0 : period]!;
    });
  });
  const rowBegin = new Uint32Array(rows.length + 1);
  const target: number[] = [];
  const atMost: number[] = [];
  rows.forEach((row, app) => {
    const entries = row.limits.map(([name, limit]) => {
      const other = position.get(name);
      if (other === undefined) throw malformed(row.path, `there is no app "${name}"`);
      return [other, limit] as const;
    });
    entries.sort(([a], [b]) => a - b);
    for (const [other, limit] of entries) {
      target.push(other);
      atMost.push(limit);
    }
    rowBegin[app + 1] = target.length;
  });
  return {
    resources,
    periods,
    apps: {
      names: rows.map(({ name }) => name),
      replicas: Uint32Array.from(rows, ({ replicas }) => replicas),
      demand,
      ...(rows.some(({ priority }) => priority !== 0) ? { priority: Int32Array.from(rows, ({ priority }) => priority) } : {}),
    },
    classes,
    limits: { rowBegin, app: Uint32Array.from(target), atMost: Uint32Array.from(atMost) },
  };
}

const linesOf = (text: string): [string, number][] =>
  text
    .split(/\r?\n/)
    .map((line, k): [string, number] => [line, k + 1])
    .filter(([line]) => line.trim() !== '');

export const isTsv = (text: string): boolean => text.startsWith(TSV_HEADER.join('\t'));

export function readTsv(text: string): InstanceColumns {
  const rows = linesOf(text)
    .slice(1)
    .map(([line, number]): Row => {
      const fields = line.split('\t').map((field) => field.trim());
      const at = (column: number): string => `line ${number}: ${TSV_HEADER[column]!}`;
      if (fields.length !== TSV_HEADER.length) throw malformed(`line ${number}`, `has ${fields.length} columns instead of 6`);
      const profile = (column: number): number[] =>
        fields[column]!.replace(/^\[|\]$/g, '')
          .split(',')
          .map((value) => amount(value.trim(), '', at(column)));
      const limits = Array.from(
        fields[5]!.matchAll(/\(\s*([^,()]+?)\s*,\s*([0-9]+)\s*\)/g),
        ([, name, limit]): [string, number] => [name!.replace(/^'|'$/g, ''), Number(limit)],
      );
      if (limits.length !== whole(fields[4]!, at(4))) throw malformed(at(4), `inter_aff has ${limits.length} entries`);
      return {
        name: fields[0]!,
        replicas: whole(fields[1]!, at(1)),
        demand: [profile(2), profile(3)],
        limits,
        priority: 0,
        path: at(0),
      };
    });
  return columnsOfRows(
    rows,
    [
      { name: 'cpu', unit: 'cores' },
      { name: 'memory', unit: 'GiB' },
    ],
    [DEFAULT_CLASS],
  );
}

function csvFields(line: string, path: string): string[] {
  const fields: string[] = [];
  const pattern = /\s*(?:"((?:[^"]|"")*)"|([^,"]*))\s*(,|$)/y;
  for (;;) {
    const match = pattern.exec(line);
    if (match === null) throw malformed(path, 'a quote is not closed');
    fields.push(match[1] === undefined ? match[2]!.trim() : match[1].replaceAll('""', '"'));
    if (match[3] === '') return fields;
  }
}

const csvField = (text: string): string => (/[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Reads one line per app: `app,replicas,cpu (cores),memory (GiB),priority,limits`. All columns other than app, replicas,
 * priority and limits are resources. Their values are quantities, with periods as "1|2|3". Limits have the form "db:0;web:1".
 */
export function readCsv(text: string, classes: readonly ClassColumns[]): InstanceColumns {
  const [first, ...rest] = linesOf(text);
  if (first === undefined) throw malformed('', 'the file is empty');
  const header = csvFields(first[0], 'line 1');
  const lower = header.map((name) => name.toLowerCase());
  const column = (name: string): number => lower.indexOf(name);
  const [app, replicas, priority, limits] = [column('app'), column('replicas'), column('priority'), column('limits')];
  if (app < 0) throw malformed('line 1', 'there is no column "app"');
  const resources = header.flatMap((title, k) => {
    if ([app, replicas, priority, limits].includes(k)) return [];
    const match = /^(.*?)\s*(?:\((.*)\))?$/.exec(title)!;
    const known: Record<string, string> = { cpu: 'cores', memory: 'GiB' };
    return [{ name: match[1]!, unit: match[2] ?? known[match[1]!.toLowerCase()] ?? '', column: k }];
  });
  if (resources.length === 0) throw malformed('line 1', 'there is no column of a resource, such as "cpu"');
  const rows = rest.map(([line, number]): Row => {
    const path = `line ${number}`;
    const fields = csvFields(line, path);
    if (fields.length !== header.length) throw malformed(path, `has ${fields.length} columns instead of ${header.length}`);
    const ruled = limits < 0 ? [] : fields[limits]!.split(';').filter((part) => part.trim() !== '');
    return {
      name: fields[app]!,
      replicas: replicas < 0 ? 1 : whole(fields[replicas]!, `${path}: replicas`),
      priority: priority < 0 || fields[priority] === '' ? 0 : Number(fields[priority]),
      demand: resources.map(({ name, unit, column: k }) =>
        fields[k]!.split('|').map((value) => amount(value, unit, `${path}: ${name}`)),
      ),
      limits: ruled.map((part): [string, number] => {
        const colon = part.lastIndexOf(':');
        return [part.slice(0, colon).trim(), whole(part.slice(colon + 1).trim(), `${path}: limits`)];
      }),
      path,
    };
  });
  const fitting = classes.filter(({ capacity }) => capacity.length === resources.length);
  if (fitting.length === 0) throw malformed('line 1', `the file has ${resources.length} resources, the present nodes do not`);
  return columnsOfRows(
    rows,
    resources.map(({ name, unit }) => ({ name, unit })),
    fitting.map(({ name, capacity, price }) => ({
      name,
      capacity,
      price,
    })),
  );
}

/** Writes the apps in the format of `readCsv`, without node classes. */
export function writeCsv(columns: InstanceColumns): string {
  const { apps, resources, limits, periods = 1 } = columns;
  const name = (app: number): string => apps.names?.[app] ?? `#${app}`;
  const title = ({ name: resource, unit }: Resource): string => (unit ? `${resource} (${unit})` : resource);
  const lines = [['app', 'replicas', ...resources.map(title), 'priority', 'limits']];
  for (let app = 0; app < apps.replicas.length; ++app) {
    const profiles = resources.map((_, resource) => {
      const begin = (app * resources.length + resource) * periods;
      const values = Array.from({ length: periods }, (_unused, period) => apps.demand[begin + period]!);
      return values.every((value) => value === values[0]) ? String(values[0]) : values.join('|');
    });
    const row: string[] = [];
    for (let k = limits?.rowBegin[app] ?? 0; k < (limits?.rowBegin[app + 1] ?? 0); ++k) {
      row.push(`${name(limits!.app[k]!)}:${limits!.atMost[k]!}`);
    }
    lines.push([name(app), String(apps.replicas[app]), ...profiles, String(apps.priority?.[app] ?? 0), row.join(';')]);
  }
  return lines.map((fields) => `${fields.map(csvField).join(',')}\n`).join('');
}
