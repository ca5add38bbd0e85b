import { known } from './call.ts';
import type { Handler } from './call.ts';

export const projectList: Handler = (call) => call.world.fundraisingProjects(call.now);

export const projectDetail: Handler = (call) => {
  const project = call.world.fundraisingProject(call.path['project_id'] ?? '', call.now);
  return known(project, 'Project', call, 'project_id', '/fundraising/projects');
};
