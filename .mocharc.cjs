/** One limit for every test and hook. It exists to end a hang and says nothing about speed: a loaded machine takes many times longer. */
const isLong = process.env.TEST_EFFORT === 'full' || process.env.UPDATE_DOCS === '1';

module.exports = {
  extension: ['js'],
  require: ['./dist/test/support/compile-less.js', './dist/test/support/same-cases.js'],
  timeout: isLong ? 7_200_000 : 1_800_000,
  slow: 1_000,
};
