// NSGA-II of pagmo 2 on ZDT1 with 30 variables and the parameters of Deb et al. 2002: SBX p 0.9, eta 20; polynomial mutation 1/n,
// eta 20. Arguments: population generations seed. Prints the CPU seconds of evolve() and the mean of f2 + sqrt(f1) - 1, which is 0
// on the true front.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/problems/zdt.hpp>

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const unsigned size = std::atoi(argv[1]), generations = std::atoi(argv[2]), seed = std::atoi(argv[3]);
  pagmo::population start{pagmo::problem{pagmo::zdt{1u, 30u}}, size, seed};
  pagmo::algorithm nsga2{pagmo::nsga2{generations, 0.9, 20., 1. / 30., 20., seed}};
  const std::clock_t from = std::clock();
  const pagmo::population end = nsga2.evolve(start);
  const double seconds = double(std::clock() - from) / CLOCKS_PER_SEC;
  double off = 0;
  for (const auto &f : end.get_f()) off += f[1] + std::sqrt(f[0]) - 1;
  std::printf("%.4f %.6f\n", seconds, off / size);
}
