// After `npm test`: lists the tests that it does not run.
process.stdout.write(
  'Not run: tests with a real browser, real k6, slow targets and many whole runs (`npm run test:slow`),\n' +
    'and all faults and variants of the reference server (`npm run prove`).\n',
);
