const { equals, iterableEquality } = require('@jest/expect-utils');

/** Jest's, of this spec file. Each call of it makes some 400 functions, and an error with its stack. */
const jestExpect = globalThis.expect;

/**
 * What `expect` gives: the two matchers that most tests call decide here that a value passes. Whatever does not pass, and
 * every other matcher, is Jest's own.
 */
class Expectation {
  constructor(actual) {
    this.actual = actual;
  }

  toBe(expected) {
    if (Object.is(this.actual, expected)) countAssertion();
    else fail(this, 'toBe', expected);
  }

  toEqual(expected) {
    if (equals(this.actual, expected, [iterableEquality])) countAssertion();
    else fail(this, 'toEqual', expected);
  }
}

/** Its stack begins at the test. */
function fail(expectation, matcher, expected) {
  try {
    jestExpect(expectation.actual)[matcher](expected);
  } catch (error) {
    Error.captureStackTrace(error, expectation[matcher]);
    throw error;
  }
}

for (const name of Object.keys(jestExpect()))
  if (!(name in Expectation.prototype))
    Object.defineProperty(Expectation.prototype, name, {
      get() {
        return jestExpect(this.actual)[name];
      },
    });

/** For `expect.assertions`. */
function countAssertion() {
  jestExpect.getState().assertionCalls++;
}

globalThis.expect = Object.assign((actual) => new Expectation(actual), jestExpect);
