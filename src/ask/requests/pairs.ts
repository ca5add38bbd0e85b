// §2 and §4 import this from here until they have moved.
export * from '../../../suites/4.1-currencies/requests.ts';
