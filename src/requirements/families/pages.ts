// §4.2 imports this from here until it has moved.
export * from '../../../suites/families/pages.ts';
