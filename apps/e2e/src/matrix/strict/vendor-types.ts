import { join } from 'node:path';
import ts from 'typescript';
import { workspaceRoot } from '../../harness/app-process';

/** Where a body differs from the vendor's type. */
export interface Fault {
  /** Member names and indexes, from the body inwards. */
  readonly path: readonly (string | number)[];
  readonly problem: 'unknown' | 'missing' | 'type' | 'value';
  /** For `type` the names of the types that fit, for `value` the values that do. */
  readonly expected: readonly string[];
  readonly given: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** The declarations of a vendor's SDK, which the vendor generates from its own OpenAPI document. */
export class VendorTypes {
  private readonly checker: ts.TypeChecker;
  private readonly exported: readonly ts.Symbol[];

  /**
   * @param file a declaration file, relative to `node_modules`.
   * @param optional names of members that the types want, and without which the API takes a body.
   */
  constructor(
    file: string,
    private readonly optional: readonly string[] = [],
  ) {
    const path = join(workspaceRoot, 'node_modules', file);
    const program = ts.createProgram([path], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      lib: ['lib.es2020.d.ts'],
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    });
    this.checker = program.getTypeChecker();
    const source = program.getSourceFile(path);
    const module = source && this.checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} declares no module.`);
    this.exported = this.checker.getExportsOfModule(module);
  }

  /** The faults of a body under the exported type of this name; none for a body that fits. */
  faultsOf(body: unknown, typeName: string): readonly Fault[] {
    const found = this.exported.find(({ name }) => name === typeName);
    if (found === undefined) throw new Error(`The SDK exports no type ${typeName}.`);
    return this.check(body, this.checker.getDeclaredTypeOfSymbol(found), []);
  }

  private check(value: unknown, type: ts.Type, path: Fault['path']): readonly Fault[] {
    if ((type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return [];
    if (type.isUnion()) return this.checkUnion(value, type, path);
    if (this.isObject(type)) return this.checkObject(value, type, path);
    if (isPrimitiveOf(type, value)) return [];
    const literal = type.isLiteral() || (type.flags & ts.TypeFlags.BooleanLiteral) !== 0;
    const sameKind = literal && typeof value === (type.isStringLiteral() ? 'string' : 'number');
    return [fault(path, sameKind ? 'value' : 'type', [this.nameOf(type)], value)];
  }

  private checkUnion(value: unknown, union: ts.UnionType, path: Fault['path']): readonly Fault[] {
    const members = union.types;
    if (!isMembers(value)) {
      const found = members.map((member) => this.check(value, member, path));
      if (found.some(({ length }) => length === 0)) return [];
      // A list is wrong inside; anything else is wrong itself.
      const inside = found.find(([first]) => (first?.path.length ?? 0) > path.length);
      if (Array.isArray(value) && inside !== undefined) return inside;
      const isValue = found.every(([first]) => first?.problem === 'value');
      return [
        fault(
          path,
          isValue ? 'value' : 'type',
          members.map((member) => this.nameOf(member)),
          value,
        ),
      ];
    }
    const objects = members.filter((member) => this.isObject(member));
    const meant = objects.filter((member) => this.isMeant(value, member));
    if (meant.length === 0) {
      const tag = ['role', 'type'].find((name) => name in value);
      if (objects.length === 0 || tag === undefined)
        return [
          fault(
            path,
            'type',
            members.map((member) => this.nameOf(member)),
            value,
          ),
        ];
      const tags = objects.map((member) => this.nameOf(this.typeOf(member, tag)));
      return [fault([...path, tag], 'value', tags, value[tag])];
    }
    const found = meant.map((member) => this.checkObject(value, member, path));
    return found.reduce((least, faults) => (faults.length < least.length ? faults : least));
  }

  /** True where every member of literal type, as `role` and `type`, has the value of this type. */
  private isMeant(value: Members, type: ts.Type): boolean {
    return this.checker.getPropertiesOfType(type).every((property) => {
      const own = this.checker.getTypeOfSymbol(property);
      const isLiteral = own.isLiteral() || (own.isUnion() && own.types.every((member) => member.isLiteral()));
      const isLeftOut = value[property.name] === undefined && this.optional.includes(property.name);
      return !isLiteral || isLeftOut || this.check(value[property.name], own, []).length === 0;
    });
  }

  private checkObject(value: unknown, type: ts.Type, path: Fault['path']): readonly Fault[] {
    if (this.checker.isArrayType(type)) {
      if (!Array.isArray(value)) return [fault(path, 'type', ['array'], value)];
      const [item = this.checker.getUnknownType()] = this.checker.getTypeArguments(type as ts.TypeReference);
      return value.flatMap((entry: unknown, at) => this.check(entry, item, [...path, at]));
    }
    if (!isMembers(value)) return [fault(path, 'type', ['object'], value)];
    const properties = this.checker.getPropertiesOfType(type).filter((property) => !this.isHeader(property));
    const missing = properties.filter(
      ({ name, flags }) =>
        (flags & ts.SymbolFlags.Optional) === 0 && value[name] === undefined && !this.optional.includes(name),
    );
    const known = new Map(properties.map((property) => [property.name, property]));
    const open = this.checker.getIndexInfoOfType(type, ts.IndexKind.String)?.type;
    return [
      ...missing.map(({ name }) => fault([...path, name], 'missing', [], undefined)),
      ...Object.entries(value).flatMap(([name, entry]) => {
        const property = known.get(name);
        const own = property ? this.checker.getTypeOfSymbol(property) : open;
        if (own === undefined) return [fault([...path, name], 'unknown', [], entry)];
        return this.check(entry, own, [...path, name]);
      }),
    ];
  }

  private isObject(type: ts.Type): boolean {
    return (type.flags & ts.TypeFlags.Object) !== 0;
  }

  /** A parameter of the SDK that it sends as a header. */
  private isHeader(property: ts.Symbol): boolean {
    const documentation = ts.displayPartsToString(property.getDocumentationComment(this.checker));
    return documentation.startsWith('Header param');
  }

  private typeOf(type: ts.Type, name: string): ts.Type {
    const property = this.checker.getPropertyOfType(type, name);
    return property ? this.checker.getTypeOfSymbol(property) : this.checker.getUndefinedType();
  }

  private nameOf(type: ts.Type): string {
    if (this.checker.isArrayType(type)) return 'array';
    if (this.isObject(type)) return 'object';
    return this.checker.typeToString(type).replaceAll('"', "'");
  }
}

const fault = (
  path: Fault['path'],
  problem: Fault['problem'],
  expected: readonly string[],
  given: unknown,
): Fault => ({ path, problem, expected, given });

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isPrimitiveOf(type: ts.Type, value: unknown): boolean {
  const { flags } = type;
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value === value;
  if ((flags & ts.TypeFlags.BooleanLiteral) !== 0)
    return String(value) === (type as unknown as { intrinsicName: string }).intrinsicName;
  if ((flags & ts.TypeFlags.Null) !== 0) return value === null;
  if ((flags & ts.TypeFlags.Undefined) !== 0) return value === undefined;
  // A name with known values and any other: `string & {}`.
  if (type.isIntersection()) return type.types.some((part) => isPrimitiveOf(part, value));
  if ((flags & ts.TypeFlags.String) !== 0) return typeof value === 'string';
  if ((flags & ts.TypeFlags.Number) !== 0) return typeof value === 'number';
  return (flags & ts.TypeFlags.Boolean) !== 0 && typeof value === 'boolean';
}
