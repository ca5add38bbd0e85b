// After `npm test`: says what it did not run, so that nobody takes a green run for more than it is.
process.stdout.write(
  'Not run here: tests in a real browser, with real k6, and on slow targets: `npm run test:slow`.\n' +
    'Not run here: every fault and variant of the reference server: `npm run prove`.\n',
);
