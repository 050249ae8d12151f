# NSGA-II of DEAP on ZDT1 with 30 variables and the parameters of Deb et al. 2002 (SBX p 0.9, eta 20; polynomial mutation 1/n, eta 20),
# with DEAP's sort in O(N log^(M-1) N). Arguments: population generations seed. Prints the CPU seconds of the search and the mean of
# f2 + sqrt(f1) - 1.
import array
import random
import sys
import time

from deap import base, benchmarks, creator, tools

size, generations, seed = map(int, sys.argv[1:4])
genes, lower, upper = 30, 0.0, 1.0
random.seed(seed)
creator.create("Cost", base.Fitness, weights=(-1.0, -1.0))
creator.create("Individual", array.array, typecode="d", fitness=creator.Cost)


def evaluate(individuals):
    for individual in individuals:
        if not individual.fitness.valid:
            individual.fitness.values = benchmarks.zdt1(individual)


def brood(parents):
    children = [creator.Individual(parent) for parent in tools.selTournamentDCD(parents, size)]
    for one, other in zip(children[::2], children[1::2]):
        if random.random() <= 0.9:
            tools.cxSimulatedBinaryBounded(one, other, 20.0, lower, upper)
        tools.mutPolynomialBounded(one, 20.0, lower, upper, 1.0 / genes)
        tools.mutPolynomialBounded(other, 20.0, lower, upper, 1.0 / genes)
        del one.fitness.values, other.fitness.values
    evaluate(children)
    return children


start = time.process_time()
population = [creator.Individual(random.random() for _ in range(genes)) for _ in range(size)]
evaluate(population)
population = tools.selNSGA2(population, size, nd="log")
for _ in range(generations):
    population = tools.selNSGA2(population + brood(population), size, nd="log")
seconds = time.process_time() - start
off = sum(f2 + f1**0.5 - 1 for f1, f2 in (individual.fitness.values for individual in population)) / size
print(f"{seconds:.4f} {off:.6f}")
